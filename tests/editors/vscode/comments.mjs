/** Threads of the Comments API beside lines: their words, a reply, their buttons. */

export class Comments {
  constructor(window) {
    this.window = window;
    this.page = window.page;
  }

  /** The lines (from 1) on the screen that have the mark of a thread in the margin. */
  async lines() {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.editor-instance .margin-view-overlays > div')]
        .filter((one) => one.querySelector('.comment-range-glyph.comment-thread, .comment-range-glyph.comment-thread-unresolved'))
        .map((one) => Number(one.querySelector('.line-numbers')?.textContent)),
    );
  }

  /** Wait until threads stand beside exactly these lines. */
  async beside(...wanted) {
    return this.window.until(async () => {
      const lines = await this.lines();
      return JSON.stringify(lines) === JSON.stringify(wanted) ? lines : undefined;
    }, `threads beside the lines ${wanted}`);
  }

  /** Open the thread of a line by its mark, if it is not open. */
  async open(line, text) {
    const thread = this.thread(text);
    if (await thread.isVisible()) return thread;
    const box = await this.page.evaluateHandle(
      (wanted) =>
        [...document.querySelectorAll('.editor-instance .margin-view-overlays > div')]
          .find((one) => Number(one.querySelector('.line-numbers')?.textContent) === wanted)
          ?.querySelector('.comment-range-glyph'),
      line,
    );
    await box.asElement().click();
    await thread.waitFor();
    return thread;
  }

  /** Close an open thread, so that the lines below it are on the screen. */
  async close(text) {
    await this.thread(text).locator('.head .expand-review-action').click();
    await this.thread(text).waitFor({ state: 'hidden' });
  }

  /** The open thread that holds `text`. */
  thread(text) {
    return this.page.locator('.review-widget:visible', { hasText: text }).first();
  }

  /** What was said in it, in order: who and what. */
  async said(text) {
    const comments = this.thread(text).locator('.review-comment');
    return Promise.all(
      (await comments.all()).map(async (one) => ({
        author: (await one.locator('.author').first().innerText()).trim(),
        text: (await one.locator('.comment-body').first().innerText()).trim(),
      })),
    );
  }

  /** Type a reply and press a button below it. */
  async reply(text, words, button) {
    const thread = this.thread(text);
    const prompt = thread.locator('.review-thread-reply-button');
    if (await prompt.isVisible()) await prompt.click();
    await thread.locator('.comment-form .monaco-editor').first().click();
    await this.page.keyboard.type(words);
    await thread.locator('.form-actions .monaco-button', { hasText: button }).first().click();
  }

  /** Press a button in the title of the thread, by its label. */
  async press(text, label) {
    const thread = this.thread(text);
    await thread.locator(`.head .action-label[aria-label^="${label}"]`).first().click();
  }
}

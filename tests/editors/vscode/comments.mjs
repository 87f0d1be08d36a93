/** Threads of the Comments API beside lines: their words, a reply, their buttons. */

import { AGAIN_MS } from './waits.mjs';

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
    await this.window.until(async () => {
      if (await thread.isVisible()) return true;
      await this.#click(line);
      return thread.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    }, `a thread beside line ${line} with ${text}`);
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

  /** Open the thread of a line, and wait until so much was said in it: who and what, in order. */
  async saidOf(line, text, count) {
    return this.window.until(async () => {
      await this.open(line, text);
      const said = await this.#said(text).catch(() => []);
      return said.length >= count ? said : undefined;
    }, `${count} entries in the thread with ${text}`);
  }

  async #said(text) {
    const comments = this.thread(text).locator('.review-comment');
    return Promise.all(
      (await comments.all()).map(async (one) => ({
        author: (await one.locator('.author').first().innerText({ timeout: AGAIN_MS })).trim(),
        text: (await one.locator('.comment-body').first().innerText({ timeout: AGAIN_MS })).trim(),
      })),
    );
  }

  /** Type a reply and press the button below it. */
  async reply(text, words) {
    const form = await this.#form(text);
    await form.locator('.comment-form .monaco-editor').first().click();
    await this.page.keyboard.type(words);
    await form.locator('.comment-form .view-lines', { hasText: words.split(' ').at(-1) }).waitFor();
    await this.#button(form, 'Reply').click();
  }

  /** The words on the buttons of an open thread, from its left to its right. */
  async buttons(text) {
    const form = await this.#form(text);
    const buttons = await form.locator('.form-actions .monaco-button').all();
    const places = await Promise.all(buttons.map(async (one) => [(await one.boundingBox()).x, (await one.innerText()).trim()]));
    return places.sort(([one], [other]) => one - other).map(([, label]) => label);
  }

  /** Press one of them. */
  async press(text, label) {
    await this.#button(await this.#form(text), label).click();
  }

  #button(form, label) {
    return form.locator('.form-actions .monaco-button', { hasText: label }).first();
  }

  /** An open thread, with the form below what was said opened as well. */
  async #form(text) {
    const thread = this.thread(text);
    const button = thread.locator('.form-actions .monaco-button').first();
    await this.window.until(async () => {
      if (await button.isVisible()) return true;
      await thread.locator('.review-thread-reply-button').click({ timeout: AGAIN_MS }).catch(() => {});
      return button.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    }, `the form of the thread with ${text}`);
    return thread;
  }

  async #click(line) {
    const box = await this.page.evaluateHandle(
      (wanted) =>
        [...document.querySelectorAll('.editor-instance .margin-view-overlays > div')]
          .find((one) => Number(one.querySelector('.line-numbers')?.textContent) === wanted)
          ?.querySelector('.comment-range-glyph'),
      line,
    );
    await box.asElement()?.click({ timeout: AGAIN_MS }).catch(() => {});
  }
}

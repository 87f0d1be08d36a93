/** Pages that stand in a frame of their own: a Markdown preview, the walkthrough. And the activation report. */

const plain = (text) => text.replaceAll('\u00a0', ' ').replaceAll(/[ \t]+/g, ' ').trim();

export class Pages {
  constructor(window) {
    this.window = window;
    this.page = window.page;
  }

  /** The words of the preview that holds `text`, once there is one. */
  async read(text) {
    return this.window.until(async () => {
      for (const frame of this.page.frames()) {
        const words = await frame.evaluate(() => document.body?.innerText ?? '').catch(() => '');
        if (frame !== this.page.mainFrame() && words.includes(text)) return plain(words);
      }
      return undefined;
    }, `a page that holds ${text}`);
  }

  /** What the running-extensions page tells of an extension: its words, with the time of its activation. */
  async activation(name) {
    await this.window.command('Developer: Show Running Extensions');
    const row = this.page.locator('.runtime-extensions-editor .extension', { hasText: name }).first();
    await row.locator('.activation-time', { hasText: /\d/ }).waitFor();
    const told = plain((await row.innerText()).replaceAll('\n', ' '));
    await this.page.keyboard.press('Escape');
    await row.waitFor({ state: 'hidden' });
    return told;
  }
}

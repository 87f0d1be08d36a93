/** Around the editor: the Problems panel, the status bar, a view with a tree. */

const plain = (text) => text.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ').trim();

export class Problems {
  constructor(window) {
    this.window = window;
    this.page = window.page;
  }

  /** Show the panel. */
  async show() {
    await this.window.command('Problems: Focus on Problems View');
    await this.page.locator('.markers-panel').waitFor();
  }

  /** What the panel lists, each with its text and line (from 1). The panel must be shown. */
  async list() {
    const rows = await this.page.locator('.markers-panel .monaco-list-row:has(.marker-icon)').allInnerTexts();
    return rows.map(plain).map((text) => {
      const place = /\[Ln (\d+), Col (\d+)\]/.exec(text);
      return { text, line: place ? Number(place[1]) : undefined };
    });
  }

  /** Wait until the list is as `wanted` says; the list. */
  async until(wanted, what) {
    return this.window.until(async () => {
      const list = await this.list();
      return wanted(list) ? list : undefined;
    }, `the problems panel to show ${what}`);
  }
}

export class StatusBar {
  constructor(window) {
    this.page = window.page;
  }

  /** The text of the item that matches, once there is one. */
  async waitFor(text) {
    const item = this.page.locator('.statusbar-item:visible', { hasText: text }).first();
    await item.waitFor();
    return plain(await item.innerText());
  }
}

export class Tree {
  constructor(window) {
    this.window = window;
    this.page = window.page;
  }

  /** Show a view of the activity bar by its title. */
  async show(title) {
    await this.page.locator('.activitybar .action-item', { has: this.page.locator(`[aria-label^="${title}"]`) }).first().click();
    await this.page.locator('.sidebar .composite.title', { hasText: new RegExp(title, 'i') }).waitFor();
  }

  /** The rows of the view that is shown. */
  async rows() {
    return (await this.page.locator('.sidebar .pane-body .monaco-list-row').allInnerTexts()).map(plain);
  }

  /** Wait until some row holds `text`; all rows. */
  async until(text) {
    return this.window.until(async () => {
      const rows = await this.rows();
      return rows.some((row) => row.includes(text)) ? rows : undefined;
    }, `the view to show ${text}`);
  }
}

/** The text editor: the cursor, a selection, typing, the menu of code actions, hovers. Lines count from 1. */

export class Editor {
  constructor(window) {
    this.window = window;
    this.page = window.page;
  }

  /** The lines on the screen, of the file that is shown. */
  lines() {
    return this.page.locator('.editor-instance .view-lines .view-line');
  }

  /** Put the cursor on a line, in a column from 1. */
  async goTo(line, column = 1) {
    const box = this.page.locator('.quick-input-widget:visible');
    await this.window.bring('Control+g', box);
    await box.locator('.quick-input-box input').fill(`:${line}:${column}`);
    await box.getByText(new RegExp(`go to line ${line}\\b`, 'i')).first().waitFor();
    await this.page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
    await this.window.statusBar.waitFor(new RegExp(`Ln ${line}, Col ${column}\\b`));
  }

  /** Select whole lines, both included. */
  async select(first, last) {
    await this.goTo(first);
    for (let line = first; line < last; line += 1) await this.page.keyboard.press('Shift+ArrowDown');
    await this.page.keyboard.press('Shift+End');
    await this.window.statusBar.waitFor(/\(\d+ selected\)/);
  }

  async type(text) {
    await this.page.keyboard.type(text);
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The text of a line on the screen, with plain spaces. */
  async text(line) {
    const texts = await this.page.evaluate(() => {
      const top = (one) => Number.parseFloat(one.style.top);
      const shown = document.querySelector('.editor-instance .monaco-editor');
      const own = (selector) => [...shown.querySelectorAll(selector)].filter((one) => !one.closest('.review-widget'));
      const margins = own('.margin-view-overlays > div');
      const numbers = new Map(margins.map((one) => [top(one), one.querySelector('.line-numbers')?.textContent]));
      return own('.view-lines .view-line').map((one) => [numbers.get(top(one)), one.textContent]);
    });
    const found = texts.find(([number]) => Number(number) === line);
    return found ? found[1].replaceAll('\u00a0', ' ') : undefined;
  }

  /** The titles in the menu of code actions, which stays open. */
  async actions() {
    const menu = this.#menu();
    await this.window.bring('Control+.', menu.locator('.monaco-list-row.action').first());
    return (await menu.locator('.monaco-list-row.action').allInnerTexts()).map((text) => text.trim());
  }

  /** Choose an entry of the menu that is open. */
  async choose(title) {
    await this.#menu().locator('.monaco-list-row.action', { hasText: title }).first().click();
    await this.#menu().waitFor({ state: 'hidden' });
  }

  /** Open the menu and choose from it; the titles it had. */
  async act(title) {
    const titles = await this.actions();
    await this.choose(title);
    return titles;
  }

  /** What the hover tells at a place once it holds `text`. It stays open until something else is done. */
  async hover(line, column, text) {
    await this.goTo(line, column);
    const hover = this.page.locator('.monaco-resizable-hover:visible, .monaco-hover:visible', { hasText: text }).first();
    await this.window.bring('Control+k Control+i', hover);
    return hover.innerText();
  }

  #menu() {
    return this.page.locator('.action-widget:not(.action-list-submenu-panel)');
  }
}

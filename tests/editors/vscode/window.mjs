/** One window of VS Code in a browser, and what a person does in it. Every wait is for something on the screen. */

import { Comments } from './comments.mjs';
import { Editor } from './editor.mjs';
import { Notifications } from './notifications.mjs';
import { Problems, StatusBar, Tree } from './panels.mjs';
import { AGAIN_MS } from './waits.mjs';

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
];

/** Start the browser in which the windows are. */
export function launch(parts, chromium) {
  return parts.chromium.launch({ executablePath: chromium, args: FLAGS, timeout: 180_000 });
}

export class Window {
  /** Open a window. `seconds` is how long any wait may take before it counts as hanging. */
  static async open(browser, url, seconds) {
    const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
    const page = await context.newPage();
    page.setDefaultTimeout(seconds * 1000);
    const window = new Window(context, page, seconds);
    await page.goto(url);
    await page.locator('.statusbar-item').first().waitFor();
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    return window;
  }

  constructor(context, page, seconds) {
    this.context = context;
    this.page = page;
    this.seconds = seconds;
    this.editor = new Editor(this);
    this.problems = new Problems(this);
    this.notifications = new Notifications(this);
    this.comments = new Comments(this);
    this.statusBar = new StatusBar(this);
    this.tree = new Tree(this);
  }

  /** Run a command of the palette by the title that stands there. */
  async command(title) {
    await this.#quickly('F1', title);
  }

  /** Open a file of the folder by its name: from the explorer if that is on the screen. */
  async openFile(name) {
    const entry = this.page.locator('.explorer-folders-view .monaco-list-row:visible', { hasText: name }).first();
    if (await this.page.locator('.explorer-folders-view:visible').isVisible()) await entry.dblclick();
    else await this.#quickly('Control+p', name);
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await this.editor.lines().first().waitFor();
  }

  /** The entries of the palette for what is typed into it. The palette is closed again. */
  async commandsFor(text) {
    const list = await this.#typed('F1', text);
    const entries = await list.locator('.monaco-list-row .quick-input-list-label .label-name, .monaco-list-row .quick-input-list-rows .label-name').allInnerTexts();
    await this.page.keyboard.press('Escape');
    return entries;
  }

  /** Answer an input box of VS Code (`showInputBox`), and wait until it is gone. */
  async answerInput(text) {
    const box = this.page.locator('.quick-input-widget:visible');
    await box.waitFor();
    await box.locator('input[type=text]').fill(text);
    await this.page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }

  /** Choose an entry of a list that is shown (`showQuickPick`). */
  async pick(label) {
    const row = this.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: label }).first();
    await row.click();
  }

  /** Press a key until what it brings is on the screen: a key that comes too early is lost. */
  async bring(key, locator) {
    await this.until(async () => {
      if (await locator.isVisible()) return true;
      for (const one of key.split(' ')) await this.page.keyboard.press(one);
      return locator.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    }, `what ${key} brings`);
  }

  /** Wait until `ask` (a function that runs here) gives something true, and return that. */
  async until(ask, what) {
    const end = Date.now() + this.seconds * 1000;
    let last;
    for (;;) {
      last = await ask();
      if (last) return last;
      if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
      await this.page.waitForTimeout(50);
    }
  }

  async screenshot(path) {
    await this.page.screenshot({ path });
  }

  async close() {
    await this.context.close();
  }

  async #quickly(key, text) {
    const list = await this.#typed(key, text);
    const row = list.locator('.monaco-list-row', { hasText: text }).first();
    await row.waitFor();
    await row.click();
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  async #typed(key, text) {
    const box = this.page.locator('.quick-input-widget:visible');
    await this.bring(key, box);
    const input = box.locator('.quick-input-box input');
    const before = await input.inputValue();
    await input.fill(`${before.startsWith('>') ? '>' : ''}${text}`);
    return box.locator('.quick-input-list');
  }
}

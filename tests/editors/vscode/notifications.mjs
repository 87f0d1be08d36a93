/** Notifications: their text, their buttons, progress. */

export class Notifications {
  constructor(window) {
    this.page = window.page;
  }

  /** The notification that holds `text` (a string or a regular expression), once it is on the screen. */
  async shown(text) {
    const toast = this.#toast(text);
    await toast.waitFor();
    return toast;
  }

  /** Its words and the labels of its buttons. */
  async read(text) {
    const toast = await this.shown(text);
    return {
      text: (await toast.locator('.notification-list-item-message').innerText()).replaceAll('\u00a0', ' '),
      buttons: await toast.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts(),
    };
  }

  /** Press a button of it. */
  async press(text, button) {
    const toast = await this.shown(text);
    await toast.locator('.notification-list-item-buttons-container .monaco-button', { hasText: button }).first().click();
  }

  /** Wait until no notification holds `text`. */
  async gone(text) {
    await this.#toast(text).waitFor({ state: 'hidden' });
  }

  /** The words of all that are shown. */
  async texts() {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  }

  #toast(text) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
  }
}

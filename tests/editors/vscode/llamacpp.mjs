/** A real model, small enough for this: what it says is of no use, that it says it is. Asserted in test_vscode.py. */

import { Pages } from './pages.mjs';

export default async function (window, step, onDisk) {
  const { editor, notifications, statusBar } = window;

  await step('ask about a selection', async () => {
    await window.openFile('fetch.py');
    await editor.select(4, 5);
    await editor.act('Ask Socreates');
    return statusBar.waitFor('Socreates reads');
  });
  await step('the end', async () => {
    await notifications.gone('Socreates reads');
    return statusBar.waitFor(/Socreates$|open$/);
  });
  await step('status', async () => {
    await window.command('Socreates: Show Status');
    return new Pages(window).read('reviews');
  });
  await step('on disk', () => onDisk('fetch.py'));
}

/** No model at all: the examiner asks from the palette, is told that it is intended, and nothing is left. */

import { run } from './run.mjs';

const ASKED = 'How long may';

await run(async (window, step, onDisk) => {
  const { comments, editor, notifications, problems, statusBar } = window;

  await step('the palette', async () => {
    await window.openFile('fetch me.py');
    return window.commandsFor('Socreates: ');
  });
  await step('ask about the file', async () => {
    await window.command('Socreates: Ask About This File');
    return comments.beside(5);
  });
  await step('problems', async () => {
    await problems.show();
    return problems.until((list) => list.length > 0, 'a question');
  });
  await step('quick fixes', async () => {
    await editor.goTo(5, 5);
    return editor.actions();
  });
  await step('it is intended', async () => {
    await editor.choose('it is intended');
    return problems.until((list) => list.length === 0, 'nothing');
  });
  await step('nothing to ask', async () => {
    await window.command('Socreates: Ask About This File');
    return notifications.read('Socreates');
  });
  await step('status bar', () => statusBar.waitFor('Socreates'));
  await step('on disk', () => onDisk('fetch me.py'));
});

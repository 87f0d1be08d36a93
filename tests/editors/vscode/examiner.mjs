/** No model, and a folder that nobody trusts, with settings of its own. Asserted in test_vscode_workspace.py. */

import { Pages } from './pages.mjs';

export default async function (window, step, onDisk) {
  const { comments, editor, notifications, problems, statusBar } = window;
  const pages = new Pages(window);

  await step('restricted', async () => {
    await window.page.getByText('Restricted Mode').first().waitFor();
    await window.openFile('fetch me.py');
  });
  await step('activation', () => pages.activation('Socreates'));
  await step('the palette', () => window.commandsFor('Socreates: '));
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
    return notifications.read('No questions');
  });
  await step('status bar', () => statusBar.waitFor('Socreates'));
  await step('survey', async () => {
    await window.command('Socreates: Survey the Workspace');
    return pages.read('Survey of');
  });
  await step('preview', async () => {
    await window.command('Socreates: Preview What Would Be Sent');
    return pages.read('What would be sent');
  });
  await step('status', async () => {
    await window.command('Socreates: Show Status');
    return pages.read('reviews');
  });
  await step('on disk', () => onDisk('fetch me.py'));
}

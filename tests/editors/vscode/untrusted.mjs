/** A folder that nobody trusts, with settings of its own. Asserted in test_vscode_workspace.py. */

import { Pages } from './pages.mjs';
import { run } from './run.mjs';

await run(async (window, step, onDisk) => {
  const { comments, notifications, problems } = window;
  const pages = new Pages(window);

  await step('restricted', async () => {
    await window.page.getByText('Restricted Mode').first().waitFor();
    await window.openFile('fetch.py');
  });
  await step('activation', () => pages.activation('Socreates'));
  await step('ask about the file', async () => {
    await window.command('Socreates: Ask About This File');
    return comments.beside(5);
  });
  await step('problems', async () => {
    await problems.show();
    return problems.until((list) => list.length > 0, 'a question');
  });
  await step('survey', async () => {
    await window.command('Socreates: Survey the Workspace');
    return notifications.read('survey');
  });
  await step('preview', async () => {
    await window.command('Socreates: Preview What Would Be Sent');
    return pages.read('What would be sent');
  });
  await step('status', async () => {
    await window.command('Socreates: Show Status');
    return pages.read('reviews.');
  });
  await step('on disk', () => onDisk('fetch.py'));
});

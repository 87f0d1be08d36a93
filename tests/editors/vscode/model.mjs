/** A review by a (scripted) model, talked about from the first key to the last thread. Asserted in test_vscode.py. */

const LOCKED = 'Who holds the lock';
const CLOSED = 'Who closes what';
const AGAIN = 'Is it still so';
const READS = /round 1|asking the model/;
const CLAIM = 'The lock at db.py:7 protects this.';

export default async function (window, step, onDisk) {
  const { comments, editor, notifications, problems, statusBar, tree } = window;

  await step('select lines', async () => {
    await window.openFile('app.py');
    await editor.select(4, 10);
    await statusBar.waitFor('Socreates');
  });
  await step('the menu', () => editor.actions());
  await step('progress', async () => {
    await editor.choose('Ask Socreates');
    const told = await notifications.read(READS);
    return { ...told, status: await statusBar.waitFor('Socreates reads') };
  });
  await step('cancel', async () => {
    await notifications.press(READS, 'Cancel');
    await notifications.gone(READS);
    const status = await statusBar.waitFor(/^\s*Socreates\s*$/);
    return { status, told: await notifications.texts() };
  });
  await step('ask again', async () => {
    await editor.select(4, 10);
    await editor.act('Ask Socreates');
    return notifications.read('pytest -q');
  });
  await step('deny the command', async () => {
    await notifications.press('pytest -q', 'Deny');
    await notifications.gone('pytest -q');
    return comments.beside(5, 10);
  });
  await step('problems', async () => {
    await problems.show();
    return problems.until((list) => list.length === 2, 'two questions');
  });
  await step('status bar', () => statusBar.waitFor('2 open'));
  await step('hover', () => editor.hover(5, 5, 'asked by the model'));
  await step('thread', async () => {
    const said = await comments.saidOf(5, LOCKED, 1);
    return { said, buttons: await comments.buttons(LOCKED) };
  });
  await step('the view', async () => {
    await tree.show('Socreates');
    return tree.until(LOCKED);
  });
  await step('answer with code', async () => {
    await comments.reply(LOCKED, CLAIM);
    await problems.until((list) => list.length === 1, 'one question less');
    await comments.thread(LOCKED).waitFor({ state: 'hidden' }); // VS Code closes what is settled
    return comments.saidOf(5, 'Answered', 3);
  });
  await step('change the code it rests on', async () => {
    await window.openFile('db.py');
    await editor.goTo(7, 9);
    await editor.press('Shift+End');
    await editor.type(' self.other:');
    return problems.until((list) => list.length === 2, 'the question again');
  });
  await step('thread of the question again', async () => {
    await window.openFile('app.py');
    return comments.saidOf(5, AGAIN, 4);
  });
  await step('edit above', async () => {
    await comments.close(AGAIN);
    await comments.beside(5, 10);
    await editor.goTo(1);
    await editor.type('# one line more\n');
    await comments.beside(6, 11);
    const list = await problems.until((all) => all.some((one) => one.line === 11), 'them a line lower');
    return { list, text: await editor.text(6) };
  });
  await step('dismiss', async () => {
    await comments.open(11, CLOSED);
    await comments.press(CLOSED, 'Dismiss');
    await comments.beside(6);
    const list = await problems.until((all) => all.length === 1, 'one question');
    return { list, told: await notifications.read('dismissed') };
  });
  await step('undo the dismissal', async () => {
    await notifications.press('dismissed', 'Undo');
    await comments.beside(6, 11);
    return problems.until((all) => all.length === 2, 'two questions');
  });
  await step('on disk', () => ({ app: onDisk('app.py'), db: onDisk('db.py') }));
}

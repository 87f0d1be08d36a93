/** What the user can ask for. Each command is one function; those on a thread take the thread. */
import * as vscode from 'vscode';

import { isOpen, named, type Findings } from './findings';
import type { Finding, ReplyResult, ReviewParams, ReviewResult, Scope } from './protocol';
import type { Reports } from './reports';
import type { Running } from './running';
import type { Session } from './session';
import type { Tree } from './tree';
import { ending, firstSentence, page, previewOf, reportOf, statusOf, tally } from './words';

const INTENDED = 'It is intended.';
const LOOK_AGAIN = 'I changed it, look again.';
const MORE = 'Tell me more.';
const UNDO = 'Undo';
const READ = 'Read All';
const THREAD = 'Open the Thread';
const ENDED = ['answered', 'step-limit'];
const SHORT_MS = 6000;

type Target = Pick<ReviewParams, 'uri' | 'range' | 'scope'>;

/** Register all commands. */
export function asks(session: Session, findings: Findings, reports: Reports, tree: Tree): vscode.Disposable[] {
  const commands = new Commands(session, findings, reports);
  session.listener = {
    reviewed: (result) => commands.tell(result),
    dismissed: (finding) => commands.offerUndo(finding),
  };
  const table: Record<string, (...args: never[]) => unknown> = {
    ask: (uri?: vscode.Uri, range?: vscode.Range) => commands.review(uri, range),
    askSelection: () => commands.review(),
    askFile: (uri?: vscode.Uri) => commands.review(uri, undefined, 'file'),
    askChanges: () => commands.scope('changes'),
    askWorkspace: () => commands.scope('workspace'),
    askQuestion: () => commands.question(),
    unread: () => commands.unread(),
    preview: () => commands.preview(),
    clear: () => commands.clear(),
    reset: () => commands.reset(),
    status: () => commands.status(),
    survey: () => commands.survey(),
    restore: () => commands.restore(),
    restart: () => session.restart(),
    log: () => session.showLog(),
    menu: () => commands.menu(),
    lastReview: () => commands.read(),
    filter: () => tree.choose(),
    show: (place: Place) => commands.show(place),
    'thread.reply': (reply: vscode.CommentReply) => commands.reply(reply.thread, reply.text),
    'thread.intended': ({ thread }: vscode.CommentReply) => commands.reply(thread, INTENDED),
    'thread.again': ({ thread }: vscode.CommentReply) => commands.reply(thread, LOOK_AGAIN),
    'thread.more': ({ thread }: vscode.CommentReply) => commands.more(thread),
    'thread.dismiss': ({ thread }: vscode.CommentReply) => commands.dismiss(session.threads?.idOf(thread)),
    'thread.reopen': (thread: vscode.CommentThread) => commands.reopen(session.threads?.idOf(thread)),
    'question.dismiss': (known?: { finding: Finding }) => commands.dismiss(known?.finding.id),
    'question.reopen': (known?: { finding: Finding }) => commands.reopen(known?.finding.id),
  };
  return Object.entries(table).map(([name, run]) => vscode.commands.registerCommand(`socreates.${name}`, run));
}

interface Place {
  readonly id: string;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

class Commands {
  private last: ReviewResult | undefined;

  constructor(
    private readonly session: Session,
    private readonly findings: Findings,
    private readonly reports: Reports,
  ) {}

  // Reviews

  async review(uri?: vscode.Uri, range?: vscode.Range, scope?: Scope): Promise<void> {
    await this.reviewed((running) => this.target(running, uri, range, scope));
  }

  async scope(scope: Scope): Promise<void> {
    await this.reviewed(() => ({ scope }));
  }

  async unread(): Promise<void> {
    await this.reviewed((running) => {
      const editor = vscode.window.activeTextEditor;
      return { ask: 'unread', ...(editor === undefined ? {} : { uri: running.uri(editor.document.uri), scope: 'file' }) };
    });
  }

  private async reviewed(params: (running: Running) => ReviewParams | undefined): Promise<void> {
    const running = await this.session.start();
    const wanted = running === undefined ? undefined : params(running);
    const result = wanted === undefined ? undefined : await running?.review(wanted);
    if (result !== undefined) {
      this.tell(result);
    }
  }

  /** What a command is about: what it was given, else the selection, else the file. Undefined without an editor. */
  private target(running: Running, uri?: vscode.Uri, range?: vscode.Range, scope?: Scope): Target | undefined {
    const editor = vscode.window.activeTextEditor;
    const document = uri ?? editor?.document.uri;
    if (document === undefined) {
      void vscode.window.showInformationMessage('Socreates: open a file first, or ask about your changes.');
      return undefined;
    }
    const selected = range ?? (uri === undefined || uri.toString() === editor?.document.uri.toString() ? editor?.selection : undefined);
    if (scope === 'file' || selected === undefined || selected.isEmpty) {
      return { uri: running.uri(document), scope: 'file' };
    }
    return { uri: running.uri(document), range: running.range(selected), scope: 'selection' };
  }

  /** Tell how a review ended: in passing where questions stand, or the user ended it, else so that it is seen. */
  tell(result: ReviewResult): void {
    this.last = result;
    const { sentence, more } = ending(result);
    if (result.stop === 'cancelled' || (tally(result.findings) !== '' && ENDED.includes(result.stop))) {
      vscode.window.setStatusBarMessage(`$(comment-discussion) Socreates: ${sentence}`, SHORT_MS);
      return;
    }
    const show = result.stop === 'failed' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const told: Thenable<string | undefined> = show(`Socreates: ${sentence}`, ...(more ? [READ] : []));
    void told.then((answer) => (answer === READ ? this.read() : undefined));
  }

  /** All that the last review said. */
  async read(): Promise<void> {
    if (this.last !== undefined) {
      await this.reports.show('Review', reportOf(this.last, named));
    }
  }

  async question(): Promise<void> {
    const text = await vscode.window.showInputBox({
      title: 'Ask Socreates',
      prompt: 'Your question about the selection, the file or the workspace',
      placeHolder: 'What happens to the queue when the worker dies?',
    });
    const running = text === undefined || text.trim() === '' ? undefined : await this.session.start();
    if (text === undefined || running === undefined) {
      return;
    }
    const editor = vscode.window.activeTextEditor;
    const about = editor === undefined ? {} : { uri: running.uri(editor.document.uri) };
    const range = editor === undefined || editor.selection.isEmpty ? {} : { range: running.range(editor.selection) };
    const answer = await running.question({ text, ...about, ...range });
    if (answer !== undefined) {
      await this.reports.show('Answer', page('Answer', [`> ${text.replace(/\s+/g, ' ')}`, answer.text]));
    }
  }

  async preview(): Promise<void> {
    const running = await this.session.start();
    const editor = vscode.window.activeTextEditor;
    const about = running === undefined ? undefined : editor === undefined ? {} : this.target(running);
    const preview = about === undefined ? undefined : await running?.preview(about);
    if (preview !== undefined) {
      await this.reports.show('What would be sent', previewOf(preview, named));
    }
  }

  async survey(): Promise<void> {
    const running = await this.session.start();
    if (running !== undefined && !running.knows('socreates/survey')) {
      void vscode.window.showInformationMessage('Socreates: this server makes no surveys; a newer socreates-lsp does.');
      return;
    }
    const survey = await running?.ask<{ report: string }>('socreates/survey', {});
    if (survey !== undefined) {
      await this.reports.show('Survey', survey.report);
    }
  }

  // One finding

  async reply(thread: vscode.CommentThread, text: string): Promise<void> {
    const id = this.session.threads?.idOf(thread);
    const running = await this.session.start();
    if (id === undefined || text.trim() === '' || running === undefined) {
      return;
    }
    this.session.threads?.said(thread, text);
    const answer = await running.ask<ReplyResult>('socreates/reply', { id, text });
    this.session.threads?.refresh(true);
    if (answer?.finding != null && !isOpen(answer.finding) && text !== INTENDED) {
      this.tellSettled(id, answer.text);
    }
  }

  /** VS Code closes a thread that is settled, and with it the answer that was just given. */
  private tellSettled(id: string, text: string): void {
    const told = vscode.window.showInformationMessage(`Socreates: ${firstSentence(text) || 'settled.'}`, THREAD);
    void told.then((answer) => (answer === THREAD ? this.session.threads?.expand(id) : undefined));
  }

  async more(thread: vscode.CommentThread): Promise<void> {
    const id = this.session.threads?.idOf(thread);
    const known = id === undefined ? undefined : this.findings.get(id);
    if (known?.told?.more !== true) {
      return this.reply(thread, MORE);
    }
    await (await this.session.start())?.ask('socreates/more', { id });
  }

  async dismiss(id: string | undefined): Promise<void> {
    const running = id === undefined ? undefined : await this.session.start();
    const result = await running?.ask<{ finding: Finding }>('socreates/dismiss', { id });
    if (result !== undefined) {
      this.offerUndo(result.finding);
    }
  }

  offerUndo(finding: Finding): void {
    const told = vscode.window.showInformationMessage('Socreates: dismissed, and not asked again.', UNDO);
    void told.then((answer) => (answer === UNDO ? this.reopen(finding.id) : undefined));
  }

  async reopen(id: string | undefined): Promise<void> {
    if (id !== undefined) {
      await (await this.session.start())?.ask('socreates/restore', { id });
    }
  }

  async restore(): Promise<void> {
    const running = await this.session.start();
    const found = (await running?.listed('dismissed')) ?? [];
    if (running === undefined || found.length === 0) {
      void vscode.window.showInformationMessage('Socreates: nothing was dismissed here.');
      return;
    }
    const items = found.map((one) => ({
      label: one.message,
      description: `${named(one.uri)}:${one.range.start.line + 1}`,
      id: one.id,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Socreates: bring back what was dismissed',
      canPickMany: true,
      matchOnDescription: true,
    });
    for (const { id } of picked ?? []) {
      await this.reopen(id);
    }
  }

  async show({ id, uri, range }: Place): Promise<void> {
    const at = this.findings.get(id)?.range ?? range;
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at.start, at.start), preserveFocus: true });
    this.session.threads?.expand(id);
  }

  // All of it

  async clear(): Promise<void> {
    const cleared = await (await this.session.start())?.ask<{ cleared: number }>('socreates/clear', {});
    if (cleared !== undefined) {
      vscode.window.setStatusBarMessage(`Socreates: ${cleared.cleared} cleared.`, SHORT_MS);
    }
  }

  async reset(): Promise<void> {
    const detail = 'The conversation with the model begins anew. What was dismissed or answered stays.';
    const answer = await vscode.window.showWarningMessage('Begin a new conversation?', { modal: true, detail }, 'Begin Anew');
    const done = answer === undefined ? undefined : await (await this.session.start())?.ask('socreates/reset', {});
    if (done !== undefined) {
      vscode.window.setStatusBarMessage('Socreates: a new conversation.', SHORT_MS);
    }
  }

  async status(): Promise<void> {
    const status = await (await this.session.start())?.ask<Record<string, unknown>>('socreates/status', {});
    if (status !== undefined) {
      await this.reports.show('Status', statusOf(status));
    }
  }

  /** What the item in the status bar opens. */
  async menu(): Promise<void> {
    const open = this.findings.all().filter((one) => isOpen(one.finding)).length;
    const items = [
      { label: '$(comment-discussion) Ask about the selection or this file', command: 'socreates.askSelection' },
      { label: '$(git-compare) Ask about my changes', command: 'socreates.askChanges' },
      { label: `$(list-unordered) Show what is open (${open})`, command: 'socreates.questions.focus' },
      ...(this.last === undefined ? [] : [{ label: '$(book) Read the last review', command: 'socreates.lastReview' }]),
      { label: '$(info) Show status', command: 'socreates.status' },
    ];
    const picked = await vscode.window.showQuickPick(items, { title: 'Socreates' });
    if (picked !== undefined) {
      await vscode.commands.executeCommand(picked.command);
    }
  }
}

/** The thread of each finding beside its line: what was asked, what was said, and a box for the answer. */
import * as vscode from 'vscode';

import { isOpen, named, type Findings, type Known } from './findings';
import { escaped, heading, question, who } from './words';

interface Shown {
  readonly thread: vscode.CommentThread;
  told: string;
}

export class Threads implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController('socreates', 'Socreates');
  private readonly shown = new Map<string, Shown>();
  private readonly ids = new WeakMap<vscode.CommentThread, string>();
  private readonly subscription: vscode.Disposable;

  constructor(private readonly findings: Findings) {
    this.controller.options = { prompt: 'Answer, and name code such as db.py:40 if it settles it', placeHolder: 'Answer…' };
    this.subscription = findings.onChange(() => this.refresh());
    this.refresh();
  }

  idOf(thread: vscode.CommentThread): string | undefined {
    return this.ids.get(thread);
  }

  /** Open the thread of a finding, if it has one. */
  expand(id: string): void {
    const shown = this.shown.get(id);
    if (shown !== undefined) {
      // It may have been closed in the window, which is not told here: what is no change is not sent.
      shown.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
      shown.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    }
  }

  /** Show what the user said until the server has it in the thread. */
  said(thread: vscode.CommentThread, text: string): void {
    thread.comments = [...thread.comments, comment('You', new vscode.MarkdownString().appendText(text)), waiting()];
  }

  /** Show each thread as the server has it, whatever was shown meanwhile. */
  refresh(anew = false): void {
    const wanted = new Map(this.findings.all().filter(hasThread).map((one) => [one.finding.id, one]));
    for (const [id, { thread }] of this.shown) {
      if (wanted.get(id)?.uri.toString() !== thread.uri.toString()) {
        thread.dispose();
        this.shown.delete(id);
      }
    }
    for (const [id, known] of wanted) {
      this.update(this.shown.get(id) ?? this.create(known), known, anew);
    }
  }

  private create(known: Known): Shown {
    const thread = this.controller.createCommentThread(known.uri, known.range, []);
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    const shown = { thread, told: '' };
    this.shown.set(known.finding.id, shown);
    this.ids.set(thread, known.finding.id);
    return shown;
  }

  private update(shown: Shown, known: Known, anew: boolean): void {
    const { thread } = shown;
    if (thread.range === undefined || !thread.range.isEqual(known.range)) {
      thread.range = known.range;
    }
    const told = JSON.stringify([known.finding.message, known.finding.status, known.finding.thread, known.told]);
    if (told === shown.told && !anew) {
      return;
    }
    shown.told = told;
    const open = isOpen(known.finding);
    thread.label = heading(known.finding);
    thread.contextValue = [open ? 'open' : 'settled', known.told?.more === true ? 'more' : ''].join(' ').trim();
    thread.canReply = open;
    thread.state = open ? vscode.CommentThreadState.Unresolved : vscode.CommentThreadState.Resolved;
    thread.comments = [asked(known), ...known.finding.thread.map((one) => comment(who(one.author), plain(one.text)))];
  }

  dispose(): void {
    this.subscription.dispose();
    this.controller.dispose();
  }
}

/** What is open has a thread; what the user talked about keeps it, so that the last word can be read. */
function hasThread({ finding }: Known): boolean {
  const settled = ['answered', 'withdrawn', 'resolved'].includes(finding.status);
  return isOpen(finding) || (settled && finding.thread.some((one) => one.author === 'user'));
}

function asked(known: Known): vscode.Comment {
  return comment('Socreates', new vscode.MarkdownString(question(known.finding, known.told, named)));
}

function waiting(): vscode.Comment {
  return comment('Socreates', new vscode.MarkdownString('*…*'));
}

function comment(name: string, body: vscode.MarkdownString): vscode.Comment {
  body.isTrusted = false;
  body.supportHtml = false;
  return { author: { name }, body, mode: vscode.CommentMode.Preview };
}

function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(markdownOf(text));
}

function markdownOf(text: string): string {
  return text.split('\n').map(escaped).join('  \n');
}

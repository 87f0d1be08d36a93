/** The server's progress as notifications with a button to cancel: the client's own is in the status bar, without one. */
import * as vscode from 'vscode';
import type {
  ProgressToken,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from 'vscode-languageserver-protocol';

type Told = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** What is over within this time shows no notification. */
const SOON_MS = 500;

interface Work {
  message: string | undefined;
  show: ((message: string | undefined) => void) | undefined;
  readonly end: () => void;
}

export class Notifications {
  private readonly works = new Map<ProgressToken, Work>();

  /** `cancel` asks the server to end what has this token; the notification stays until it has ended. */
  constructor(private readonly cancel: (token: ProgressToken) => void) {}

  take(token: ProgressToken, told: Told): void {
    if (told.kind === 'begin') {
      this.begin(token, told);
      return;
    }
    const work = this.works.get(token);
    if (told.kind === 'end') {
      this.works.delete(token);
      work?.end();
    } else if (work !== undefined) {
      work.message = told.message ?? work.message;
      work.show?.(work.message);
    }
  }

  /** The server is gone: nothing runs any more. */
  clear(): void {
    for (const work of this.works.values()) {
      work.end();
    }
    this.works.clear();
  }

  private begin(token: ProgressToken, { title, message }: WorkDoneProgressBegin): void {
    const { promise, resolve } = deferred();
    const work: Work = { message, show: undefined, end: resolve };
    this.works.set(token, work);
    setTimeout(() => {
      if (this.works.get(token) === work) {
        this.show(token, work, title, promise);
      }
    }, SOON_MS);
  }

  private show(token: ProgressToken, work: Work, title: string, ended: Promise<void>): void {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (progress, cancelled) => {
      cancelled.onCancellationRequested(() => this.cancel(token));
      work.show = (message) => progress.report(message === undefined ? {} : { message });
      work.show(work.message);
      return ended;
    });
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

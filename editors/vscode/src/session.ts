/** The server of this window: none, on its way, or there. */
import * as vscode from 'vscode';

import type { Findings } from './findings';
import { thisMachine } from './machine';
import type { Listener, Running } from './running';
import { find, MISSING } from './server';
import type { StatusBar } from './status';
import { Threads } from './threads';

const HOW = 'How to Install';
const NAME_IT = 'Open the Setting';

export class Session {
  threads: Threads | undefined;
  listener: Listener = { reviewed: () => undefined, dismissed: () => undefined };
  private channel: vscode.LogOutputChannel | undefined;
  private running: Promise<Running | undefined> | undefined;
  private current: Running | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly findings: Findings,
    private readonly status: StatusBar,
  ) {}

  get runs(): boolean {
    return this.current?.runs ?? false;
  }

  /** The server, started if it does not run. Undefined where it can't be, which the user has been told. */
  start(): Promise<Running | undefined> {
    if (this.current !== undefined && !this.current.runs) {
      this.running = undefined;
    }
    this.running ??= this.begin().then((running) => {
      this.current = running;
      if (running === undefined) {
        this.running = undefined;
      }
      return running;
    });
    return this.running;
  }

  async restart(): Promise<void> {
    if (this.running !== undefined) {
      await this.stop();
      await this.start();
    }
  }

  async stop(): Promise<void> {
    const running = await this.running;
    this.running = undefined;
    this.current = undefined;
    await running?.stop();
  }

  showLog(): void {
    this.log.show();
  }

  /** Made with the first use, as all that a window does not need when it opens. */
  private get log(): vscode.LogOutputChannel {
    if (this.channel === undefined) {
      this.channel = vscode.window.createOutputChannel('Socreates', { log: true });
      this.context.subscriptions.push(this.channel);
    }
    return this.channel;
  }

  private async begin(): Promise<Running | undefined> {
    try {
      const command = await find(thisMachine(this.context.globalState));
      if (command === undefined) {
        void missing();
        return undefined;
      }
      // A bundle of its own: the language client is not read before it is needed.
      const { Running: ours } = require('./running') as typeof import('./running');
      const running = await ours.start(command, this.context, this.findings, this.status, this.log, this.listener);
      this.threads ??= this.added(new Threads(this.findings));
      return running;
    } catch (error) {
      void vscode.window.showErrorMessage(failed(error));
      return undefined;
    }
  }

  private added(threads: Threads): Threads {
    this.context.subscriptions.push(threads);
    return threads;
  }
}

function failed(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith('Socreates') ? text : `Socreates: the server did not start (${text}): see "Socreates: Show Log".`;
}

async function missing(): Promise<void> {
  const answer = await vscode.window.showErrorMessage(MISSING, HOW, NAME_IT);
  if (answer === HOW) {
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'socreates.socreates#socreates.start');
  } else if (answer === NAME_IT) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'socreates.server.command');
  }
}

/** The server while it runs: the language client, and what it is asked for. Loaded with the first question. */
import * as os from 'node:os';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  ResponseError,
  State,
  type ClientCapabilities,
  type ExecuteCommandSignature,
  type LanguageClientOptions,
  type StaticFeature,
} from 'vscode-languageclient/node';

import type { Findings } from './findings';
import { Notifications } from './progress';
import type { AskResult, Changed, Finding, PreviewResult, ReviewParams, ReviewResult } from './protocol';
import { asked } from './prompts';
import { ENVIRONMENT, type Command } from './server';
import { given, SECTION } from './settings';
import type { StatusBar } from './status';

const CANCELLED = [-32800, -32802];
const RESTARTS = 3;
const DOCUMENTS = ['file', 'untitled', 'vscode-notebook-cell'].map((scheme) => ({ scheme }));

/** What is done with the results of what the server's own code actions ask for. */
export interface Listener {
  reviewed(result: ReviewResult): void;
  dismissed(finding: Finding): void;
}

/** Our capabilities: findings with their threads are shown by us, a free answer can be typed, and a hover tells what is
 * in a diagnostic by itself. */
const FEATURE: StaticFeature = {
  fillClientCapabilities: (capabilities: ClientCapabilities) => {
    const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
    capabilities.experimental = { ...experimental, socreates: { findings: true, input: true, diagnosticInHover: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

export class Running {
  private stopped = false;
  private failures = 0;

  private constructor(
    private readonly client: LanguageClient,
    private readonly status: StatusBar,
  ) {}

  /** Start the server. Throws an Error with a sentence. */
  static async start(
    command: Command,
    context: vscode.ExtensionContext,
    findings: Findings,
    status: StatusBar,
    log: vscode.LogOutputChannel,
    listener: Listener,
  ): Promise<Running> {
    let running: Running | undefined;
    const notifications = new Notifications((token) => {
      void client.sendNotification('window/workDoneProgress/cancel', { token });
    });
    const options: LanguageClientOptions = {
      documentSelector: DOCUMENTS,
      initializationOptions: { trusted: vscode.workspace.isTrusted },
      outputChannel: log,
      markdown: { isTrusted: false, supportHtml: false },
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const properties = context.extension.packageJSON.contributes.configuration.properties;
            const others = await next(params, token);
            return params.items.map((item, at) =>
              item.section === SECTION
                ? given(properties, item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri))
                : Array.isArray(others)
                  ? others[at]
                  : null,
            );
          },
        },
        executeCommand: (name: string, args: unknown[], next: ExecuteCommandSignature) =>
          running === undefined ? next(name, args) : running.executed(name, args, next, listener),
        handleWorkDoneProgress: (token, told) => notifications.take(token, told),
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => running?.closed() ?? { action: CloseAction.DoNotRestart },
      },
      initializationFailedHandler: () => false,
    };
    const client = new LanguageClient(
      'socreates',
      'Socreates',
      {
        command: command.program,
        args: [...command.arguments],
        // Away from the workspace, whose packages are none of ours. The client adds nothing to these variables.
        options: { cwd: os.homedir(), env: { ...process.env, ...ENVIRONMENT } },
      },
      options,
    );
    client.registerFeature(FEATURE);
    running = new Running(client, status);
    client.onNotification('socreates/didChangeFindings', (changed: Changed) => findings.take(changed));
    client.onRequest('window/showMessageRequest', asked);
    client.onRequest('socreates/input', async ({ prompt }: { prompt: string }) => ({
      text: (await vscode.window.showInputBox({ title: 'Socreates', prompt, ignoreFocusOut: true })) ?? null,
    }));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) {
        findings.clear();
        notifications.clear();
      }
    });
    await status.during(client.start());
    void running.learn();
    return running;
  }

  get runs(): boolean {
    return !this.stopped && this.client.state === State.Running;
  }

  /** Whether this server knows a command, such as `socreates/survey`. */
  knows(command: string): boolean {
    return this.client.initializeResult?.capabilities.executeCommandProvider?.commands.includes(command) ?? false;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.client.stop();
  }

  range(range: vscode.Range): NonNullable<ReviewParams['range']> {
    return this.client.code2ProtocolConverter.asRange(range);
  }

  uri(uri: vscode.Uri): string {
    return this.client.code2ProtocolConverter.asUri(uri);
  }

  async review(params: ReviewParams): Promise<ReviewResult | undefined> {
    const result = await this.ask<ReviewResult>('socreates/review', { ...params, wait: true });
    if (result !== undefined) {
      this.status.reads(nameOf(result.reviewer));
    }
    return result;
  }

  question(params: { text: string; uri?: string; range?: ReviewParams['range'] }): Promise<AskResult | undefined> {
    return this.ask<AskResult>('socreates/ask', params);
  }

  preview(params: ReviewParams): Promise<PreviewResult | undefined> {
    return this.ask<PreviewResult>('socreates/preview', params);
  }

  async listed(status: string): Promise<readonly Finding[]> {
    return (await this.ask<{ findings: readonly Finding[] }>('socreates/findings', { status }))?.findings ?? [];
  }

  /** Send a request. Undefined where it was cancelled or failed, which the user has been told. */
  async ask<T>(method: string, params: object): Promise<T | undefined> {
    try {
      return await this.status.during(this.client.sendRequest<T>(method, params));
    } catch (error) {
      if (!(error instanceof ResponseError && CANCELLED.includes(error.code)) && !this.stopped) {
        void vscode.window.showErrorMessage(sentence(error));
      }
      return undefined;
    }
  }

  /** A code action of the server's, which nobody would wait for: we do, to tell how it ended. */
  private async executed(
    name: string,
    args: unknown[],
    next: ExecuteCommandSignature,
    listener: Listener,
  ): Promise<unknown> {
    const given = (args[0] ?? {}) as Record<string, unknown>;
    if (name === 'socreates/review') {
      const result = await this.review(given);
      return result === undefined ? undefined : listener.reviewed(result);
    }
    if (name === 'socreates/reply') {
      return this.ask(name, { ...given, wait: true });
    }
    if (name === 'socreates/dismiss') {
      const result = await this.ask<{ finding: Finding }>(name, given);
      return result === undefined ? undefined : listener.dismissed(result.finding);
    }
    return next(name, args);
  }

  private closed(): { action: CloseAction; message?: string; handled?: boolean } {
    this.failures += 1;
    if (this.stopped || this.failures <= RESTARTS) {
      return { action: this.stopped ? CloseAction.DoNotRestart : CloseAction.Restart, handled: true };
    }
    this.stopped = true;
    const message = 'Socreates: the server ended again and again. "Socreates: Show Log" tells why.';
    return { action: CloseAction.DoNotRestart, message };
  }

  /** Who would review: for the status bar. */
  private async learn(): Promise<void> {
    const status = await this.client
      .sendRequest<{ reviewer: ReviewResult['reviewer'] }>('socreates/status', {})
      .catch(() => undefined);
    if (status !== undefined) {
      this.status.reads(nameOf(status.reviewer));
    }
  }
}

function nameOf(reviewer: ReviewResult['reviewer']): string {
  return reviewer.model ?? `the ${reviewer.provider}`;
}

export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith('Socreates') ? text : `Socreates: ${text}`;
}

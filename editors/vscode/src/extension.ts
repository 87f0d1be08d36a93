/** What VS Code loads as a window opens: commands, the view, the status bar. The rest waits for the first question. */
import * as vscode from 'vscode';

import { asks } from './commands';
import { Findings } from './findings';
import { Reports } from './reports';
import { Session } from './session';
import { StatusBar } from './status';
import { Tree } from './tree';

const DOCUMENTS = ['file', 'untitled', 'vscode-notebook-cell'].map((scheme) => ({ scheme }));
const KIND = vscode.CodeActionKind.Empty.append('socreates');
const TITLE = 'Ask Socreates';

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const findings = new Findings();
  const status = new StatusBar(findings);
  const reports = new Reports();
  const tree = new Tree(findings, context.workspaceState);
  const ours = new Session(context, findings, status);
  session = ours;
  context.subscriptions.push(
    findings,
    status,
    reports,
    tree,
    ...asks(ours, findings, reports, tree),
    vscode.languages.registerCodeActionsProvider(DOCUMENTS, beforeTheServer(ours), { providedCodeActionKinds: [KIND] }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => ours.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('socreates.server')) {
        void ours.restart();
      }
    }),
  );
  void startWhereWanted(ours);
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** The server offers this itself once it runs. */
function beforeTheServer(ours: Session): vscode.CodeActionProvider {
  return {
    provideCodeActions(document, range, context) {
      const automatic = context.triggerKind === vscode.CodeActionTriggerKind.Automatic;
      if (ours.runs || (automatic && range.isEmpty)) {
        return [];
      }
      const action = new vscode.CodeAction(TITLE, KIND);
      action.command = { title: TITLE, command: 'socreates.ask', arguments: [document.uri, range] };
      return [action];
    },
  };
}

/** A project with rules of its own has the server from the start. */
async function startWhereWanted(ours: Session): Promise<void> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, 'socreates.toml'));
    } catch {
      continue;
    }
    await ours.start();
    return;
  }
}

/** This machine, as the search for the server sees it. */
import { execFile } from 'node:child_process';
import { constants, promises as fs } from 'node:fs';
import * as os from 'node:os';
import * as vscode from 'vscode';

import { ENVIRONMENT, type Machine } from './server';

const PYTHON = 'ms-python.python';
const FETCH = 'Fetch and Run It';
const FETCHES = 'socreates.fetches';

interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(of: { readonly path: string }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

export function thisMachine(memory: vscode.Memento): Machine {
  return {
    platform: process.platform,
    environment: process.env,
    configured: vscode.workspace.getConfiguration('socreates').get<string[]>('server.command', []),
    roots: (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath),
    home: os.homedir(),
    program: real,
    interpreter,
    hasServer,
    mayFetch: (tool) => mayFetch(memory, tool),
  };
}

async function real(file: string): Promise<string | undefined> {
  try {
    const found = await fs.realpath(file);
    await fs.access(found, constants.X_OK);
    return (await fs.stat(found)).isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The workspace may name an interpreter of its own, which is run only where the user trusts the workspace. */
async function interpreter(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON);
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    const { environments } = await extension.activate();
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    const found = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(root));
    return found?.executable.uri?.fsPath;
  } catch {
    return undefined;
  }
}

function hasServer(python: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd: os.homedir(), env: { ...process.env, ...ENVIRONMENT }, timeout: 10_000 };
    execFile(python, ['-P', '-c', 'import socreates_lsp'], options, (error) => resolve(error === null));
  });
}

async function mayFetch(memory: vscode.Memento, tool: string): Promise<boolean> {
  if (memory.get(FETCHES) === tool) {
    return true;
  }
  const question = `Socreates: the server is not installed. ${tool} can fetch socreates-lsp from its package index and run it.`;
  const answer = await vscode.window.showInformationMessage(question, FETCH);
  if (answer === FETCH) {
    await memory.update(FETCHES, tool);
  }
  return answer === FETCH;
}

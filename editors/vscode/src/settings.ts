/** The settings that the user gave, and only those: a default of the editor must not hide the user's own config.toml. */
import * as vscode from 'vscode';

export const SECTION = 'socreates';
const OURS = 'socreates.server.';

interface Contributed {
  readonly scope?: string;
}

/** What was set for a resource, by dotted names below `socreates`. */
export function given(
  properties: Readonly<Record<string, Contributed>>,
  resource?: vscode.Uri,
): Readonly<Record<string, unknown>> {
  const configuration = vscode.workspace.getConfiguration(SECTION, resource ?? null);
  const found: Record<string, unknown> = {};
  for (const [name, { scope }] of Object.entries(properties)) {
    if (!name.startsWith(`${SECTION}.`) || name.startsWith(OURS)) {
      continue;
    }
    const key = name.slice(SECTION.length + 1);
    const value = chosen(configuration.inspect(key), scope === 'machine');
    if (value !== undefined) {
      found[key] = value;
    }
  }
  return found;
}

/** What a workspace says counts last, and not at all for what grants or sends. */
function chosen(values: ReturnType<vscode.WorkspaceConfiguration['inspect']>, machine: boolean): unknown {
  const own = values?.globalValue;
  return machine ? own : (values?.workspaceFolderValue ?? values?.workspaceValue ?? own);
}

/** The server's prompts, as notifications: whoever types is not disturbed, and no key that was meant for a text says yes. */
import * as vscode from 'vscode';
import type { MessageActionItem, ShowMessageRequestParams } from 'vscode-languageserver-protocol';

import { onOneLine } from './words';

/** Ask. The server's first button, which VS Code makes stand out, is the one that grants nothing. Null where the user closes the notification, which means no. */
export async function asked({ message, actions }: ShowMessageRequestParams): Promise<MessageActionItem | null> {
  return (await vscode.window.showWarningMessage(onOneLine(message), ...(actions ?? []))) ?? null;
}

/** Pages of ours, read-only, opened as a Markdown preview. */
import * as vscode from 'vscode';

const SCHEME = 'socreates';

export class Reports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly pages = new Map<string, string>();
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.emitter.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path) ?? '';
  }

  /** Show a page beside the text, or in the place of the page that is in front; one with the same title is replaced. */
  async show(title: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md` });
    this.pages.set(uri.path, markdown);
    this.emitter.fire(uri);
    const beside = vscode.window.activeTextEditor !== undefined;
    await vscode.commands.executeCommand(beside ? 'markdown.showPreviewToSide' : 'markdown.showPreview', uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.emitter.dispose();
  }
}

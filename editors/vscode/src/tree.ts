/** The view "Questions": what is open, by file, narrowed by a filter. */
import * as vscode from 'vscode';

import { isOpen, named, type Findings, type Known } from './findings';
import { entry, escaped, origin } from './words';

export type Filter = 'open' | 'questions' | 'warnings' | 'stale' | 'settled';

const FILTERS: readonly { readonly filter: Filter; readonly label: string; readonly shows: (one: Known) => boolean }[] = [
  { filter: 'open', label: 'Everything open', shows: ({ finding }) => isOpen(finding) },
  { filter: 'questions', label: 'Open questions', shows: ({ finding }) => isOpen(finding) && finding.kind === 'question' },
  { filter: 'warnings', label: 'Open warnings', shows: ({ finding }) => isOpen(finding) && finding.kind === 'warning' },
  { filter: 'stale', label: 'Stale: the lines changed', shows: ({ finding }) => finding.status === 'stale' },
  {
    filter: 'settled',
    label: 'Answered, resolved, withdrawn',
    shows: ({ finding }) => ['answered', 'resolved', 'withdrawn'].includes(finding.status),
  },
];
const MEMORY = 'socreates.filter';

type Node = vscode.Uri | Known;

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.emitter.event;
  private readonly view: vscode.TreeView<Node>;

  constructor(
    private readonly findings: Findings,
    private readonly memory: vscode.Memento,
  ) {
    this.view = vscode.window.createTreeView<Node>('socreates.questions', { treeDataProvider: this });
    findings.onChange(() => this.refresh());
    this.refresh();
  }

  getChildren(node?: Node): Node[] {
    const shown = this.findings.all().filter((one) => this.chosen().shows(one));
    if (node instanceof vscode.Uri) {
      return shown
        .filter((one) => one.uri.toString() === node.toString())
        .sort((one, other) => one.range.start.compareTo(other.range.start));
    }
    const files = new Map(shown.map((one) => [one.uri.toString(), one.uri]));
    return node === undefined ? [...files.keys()].sort().flatMap((one) => files.get(one) ?? []) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node instanceof vscode.Uri ? fileItem(node) : findingItem(node);
  }

  async choose(): Promise<void> {
    const current = this.chosen().filter;
    const items = FILTERS.map((one) => ({ ...one, description: one.filter === current ? 'shown now' : '' }));
    const picked = await vscode.window.showQuickPick(items, { title: 'Socreates: which questions to list' });
    if (picked !== undefined) {
      await this.memory.update(MEMORY, picked.filter);
      this.refresh();
    }
  }

  private chosen(): (typeof FILTERS)[number] {
    const kept = this.memory.get<Filter>(MEMORY, 'open');
    return FILTERS.find((one) => one.filter === kept) ?? FILTERS[0]!;
  }

  private refresh(): void {
    const open = this.findings.open().length;
    this.view.badge = open > 0 ? { value: open, tooltip: `${open} open` } : undefined;
    const chosen = this.chosen();
    this.view.description = chosen.filter === 'open' ? '' : chosen.label.toLowerCase();
    this.emitter.fire();
  }

  dispose(): void {
    this.view.dispose();
    this.emitter.dispose();
  }
}

function fileItem(uri: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded);
  item.description = named(uri).includes('/') ? named(uri).replace(/\/[^/]*$/, '') : '';
  item.contextValue = 'file';
  return item;
}

function findingItem({ finding, uri, range, told }: Known): vscode.TreeItem {
  const item = new vscode.TreeItem(entry(finding, range.start.line + 1));
  item.id = finding.id;
  item.description = finding.category;
  item.iconPath = new vscode.ThemeIcon(
    finding.status === 'stale' ? 'history' : finding.kind === 'warning' ? 'warning' : 'question',
  );
  item.tooltip = new vscode.MarkdownString(`${escaped(finding.message)}\n\n*${escaped(origin(finding, told))}*`);
  item.contextValue = isOpen(finding) ? 'open' : 'settled';
  item.command = { title: 'Show', command: 'socreates.show', arguments: [{ id: finding.id, uri, range }] };
  return item;
}

/** The item in the status bar: idle, reading, or how much is open, and which model reads. */
import * as vscode from 'vscode';

import type { Findings } from './findings';

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private running = 0;
  private reviewer = '';

  constructor(private readonly findings: Findings) {
    this.item = vscode.window.createStatusBarItem('socreates', vscode.StatusBarAlignment.Right, 90);
    this.item.name = 'Socreates';
    this.item.command = 'socreates.menu';
    findings.onChange(() => this.refresh());
    this.refresh();
    this.item.show();
  }

  /** Show that something runs until it ends. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.running += 1;
    this.refresh();
    try {
      return await work;
    } finally {
      this.running -= 1;
      this.refresh();
    }
  }

  reads(reviewer: string): void {
    this.reviewer = reviewer;
    this.refresh();
  }

  private refresh(): void {
    const open = this.findings.open().length;
    const count = open === 0 ? 'Socreates' : `${open} open`;
    this.item.text = this.running > 0 ? '$(sync~spin) Socreates reads' : `$(comment-discussion) ${count}`;
    const lines = [
      open === 0 ? 'Socreates: nothing is open.' : `Socreates: ${open} open ${open === 1 ? 'question' : 'questions'}.`,
      this.reviewer === '' ? 'The server starts with the first question.' : `Reviewer: ${this.reviewer}.`,
    ];
    this.item.tooltip = lines.join('\n');
    this.item.accessibilityInformation = { label: lines.join(' ') };
  }

  dispose(): void {
    this.item.dispose();
  }
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goTool } from '../support/go-tools';

const HELM = goTool('helm');

/** A chart without default values that prints the given ones. */
export class ValuesChart {
  private readonly folder = mkdtempSync(join(tmpdir(), 'values-chart-'));

  constructor() {
    mkdirSync(join(this.folder, 'templates'));
    writeFileSync(join(this.folder, 'Chart.yaml'), 'apiVersion: v2\nname: values\nversion: 1.0.0\n');
    writeFileSync(join(this.folder, 'templates', 'values.yaml'), 'values: {{ toJson .Values }}\n');
  }

  /** Writes a file for a flag, and returns its path. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** The values that Helm reads from flags; undefined if Helm refuses them. */
  values(flags: readonly string[]): unknown {
    try {
      const args = ['template', 'release', this.folder, ...flags];
      const output = execFileSync(HELM, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      return JSON.parse(/^values: (.*)$/m.exec(output)?.[1] ?? '');
    } catch {
      return undefined;
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

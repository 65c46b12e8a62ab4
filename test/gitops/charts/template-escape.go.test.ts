import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringifyYaml } from '#base/yaml-writer';
import { escapeTemplate } from '#lib/gitops/charts/template-escape';
import { goTool } from '../../support/go-tools';

const HELM = goTool('helm');

test('escapeTemplate does not change a text without template actions', () => {
  expect(escapeTemplate('a: "{ b }}"\n')).toBe('a: "{ b }}"\n');
});

test('escapeTemplate replaces only the opening braces of a template action', () => {
  expect(escapeTemplate('summary: {{ $labels.pod }} is down')).toBe('summary: {{`{{`}} $labels.pod }} is down');
});

test('escapeTemplate protects trailing white space', () => {
  expect(escapeTemplate('a: |+\n  b\n\n')).toBe('a: |+\n  b\n\n# (end)\n');
});

describe('Helm', () => {
  const chart = mkdtempSync(join(tmpdir(), 'escape-'));
  afterAll(() => rmSync(chart, { recursive: true }));

  /** Returns the output of Helm for texts, each in the ConfigMap of a separate template. */
  function rendered(texts: readonly string[]): readonly string[] {
    rmSync(join(chart, 'templates'), { recursive: true, force: true });
    mkdirSync(join(chart, 'templates'), { recursive: true });
    writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: escape\nversion: 1.0.0\n');
    texts.forEach((text, index) => {
      const file = join(chart, 'templates', `${String(index).padStart(6, '0')}.yaml`);
      writeFileSync(file, escapeTemplate(manifest(text, index)));
    });
    const output = execFileSync(HELM, ['template', 'escape', chart], { encoding: 'utf8', maxBuffer: 1e8 });
    return output.split(/^---\n# Source: .*\n/m).slice(1);
  }

  const manifest = (text: string, index: number) =>
    stringifyYaml({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${String(index).padStart(6, '0')}` },
      data: { text },
    });

  test('prints escaped manifests unchanged', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '{{',
      '}}',
      '{{-',
      '-}}',
      '`',
      '"',
      "'",
      ' ',
      '\n',
      'a',
      '/*',
      '*/',
      '{{/*',
      '$x',
      '|',
      '\\',
    );
    const texts = [
      ...fc.sample(
        fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
        { numRuns: 600, seed: 1 },
      ),
      '{{{{{',
      '{{`{{`}}',
      '{{ fail "no" }}',
      '{{- if }}',
      '{{"',
      '}}{{',
      '{{define "x"}}',
      'ends in spaces  ',
      'a\nends in empty lines\n\n\n',
      'a\n   ',
    ];
    expect(rendered(texts).map((document) => document.replace(/^# \(end\)\n$/m, ''))).toEqual(texts.map(manifest));
  });
});

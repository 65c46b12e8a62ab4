import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { operatorRules } from '#lib/constructs/operator/operator-rbac';
import type { RbacRule } from '#operator/api/rbac/rule';
import { BRIDGE_REQUEST_RULES, certifyingRules, TRUST_ANCHOR_RULES } from '#operator/api/rbac/trust-anchor';
import { RUN_FLAGS } from '#operator/src/run-options';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'operator.md'), 'utf8');
const lines = page.split('\n');
const sourcesOf = (folder: string, ...files: readonly string[]) =>
  files.map((file) => readFileSync(join(root, 'operator', folder, file), 'utf8')).join('\n');

/** The row of the table of permissions for a rule. */
function rowOf({ scope, apiGroups, resources, resourceNames = [], verbs, why }: RbacRule, part: string): string {
  const groups = apiGroups.join() === '' ? '' : ` (${apiGroups.join(', ')})`;
  const names = resourceNames.length === 0 ? '' : ` ${resourceNames.map((name) => `\`${name}\``).join(', ')}`;
  return `| ${scope} | ${resources.join(', ')}${groups}${names} | ${verbs.join(', ')} | ${part}${why} |`;
}

describe('docs/operator.md', () => {
  it('lists what the operator may do, all of it and nothing else', () => {
    const always = operatorRules(false).map((rule) => rowOf(rule, ''));
    const withMultus = operatorRules(true).map((rule) => {
      const row = rowOf(rule, '');
      return always.includes(row) ? row : rowOf(rule, 'Multus: ');
    });
    const all = [
      ...withMultus,
      ...TRUST_ANCHOR_RULES.map((rule) => rowOf(rule, 'Trust anchor: ')),
      ...BRIDGE_REQUEST_RULES.map((rule) => rowOf(rule, 'Trust anchor, bridges by request: ')),
      ...certifyingRules(['west']).map((rule) =>
        rowOf(rule, "Trust anchor, with `certifies: [{ cluster: 'west' }]`: "),
      ),
    ];
    const listed = lines.filter((line) => /^\| (?:cluster|control-plane|cni|cert-manager|operator) \|/.test(line));
    expect(listed).toEqual(all);
  });

  it('names metrics that there are, and all of our own', () => {
    const sources = ['operator/src', 'packages/controller-runtime']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts'))
          .map((file) => readFileSync(join(root, folder, file), 'utf8')),
      )
      .filter((text) => text.includes("from 'prom-client'"));
    const declared = sources.flatMap((text) => [
      ...[...text.matchAll(/name: '([a-z_]+)'/g)].map(([, name]) => name),
      ...[...text.matchAll(/ gauge\(\s*'([a-z_]+)'/g)].map(([, name]) => `linkerd_trust_anchor_${name}`),
    ]);
    expect(declared).toContain('linkerd_trust_anchor_phase');
    const named = [
      ...page.matchAll(
        /`((?:controller_runtime|workqueue|rest_client|leader_election|linkerd_reconciler|linkerd_trust_anchor)_[a-z_]+)/g,
      ),
    ];
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(declared));
  });

  it('names flags that there are', () => {
    const flags = Object.keys(RUN_FLAGS).map((flag) => flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    const used = [...page.matchAll(/operator -- run (--[^`]*)`/g)].flatMap(([, args = '']) => args.split(' '));
    const names = used.filter((arg) => arg !== '--help').map((arg) => arg.replace(/^--(?:no-)?/, ''));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(flags).toContain(name);
  });

  it('has the size of the program, as its ADR does, give or take a tenth', () => {
    const decision = readFileSync(join(root, 'docs/adr/0006-the-operator-in-a-configmap.md'), 'utf8');
    const kilobytes = (text: string, before: RegExp) => Number(new RegExp(`${before.source}(\\d+)`).exec(text)?.[1]);
    const { zstd }: { readonly zstd: string } = JSON.parse(
      readFileSync(join(root, 'operator/build/bundle.json'), 'utf8'),
    );
    const file = 'dist/home/linkerd-reconciler/configmap.linkerd-reconciler-program.yaml';
    const inOutput = statSync(join(root, file)).size / 1000;
    expect(kilobytes(decision, /Zstandard, the file has /) / ((zstd.length * 3) / 4 / 1000)).toBeCloseTo(1, 0.7);
    expect(kilobytes(decision, /changes a file of /) / inOutput).toBeCloseTo(1, 0.7);
    expect(kilobytes(page, /the\sprogram\s\(/) / inOutput).toBeCloseTo(1, 0.7);
    const [, limit = ''] = /MAX_BYTES = ([\d_]+)/.exec(sourcesOf('bundle', 'pack-bundle.ts')) ?? [];
    expect(kilobytes(decision, /the build fails above /)).toBe(Number(limit.replace('_', '')) / 1000);
  });
});

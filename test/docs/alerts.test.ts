import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateAlerts } from '#lib/constructs/pki/certificate-alerts';
import type { WatchedWindows } from '#lib/constructs/pki/expiry-alert';
import { rulesOf } from '../constructs/monitoring/watched';
import { VALID } from '../constructs/pki/windows';

const page = readFileSync(join(__dirname, '../../docs/alerts.md'), 'utf8');

const ROTATIONS: readonly WatchedWindows['rotation'][] = ['manual', 'automatic-unsafe', 'operator'];
const rules = [
  ...rulesOf(),
  ...ROTATIONS.flatMap((rotation) => certificateAlerts({ ...VALID, rotation, pemAnchors: [], signsBridges: true })),
];

/** The sections of the page, by alert. */
const sections = new Map(
  page
    .split(/^#{2,3} /m)
    .filter((section) => section.startsWith('Linkerd'))
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

test('docs/alerts.md has one section for each alert, and no others', () => {
  expect([...sections.keys()].sort()).toEqual([...new Set(rules.map(({ alert }) => alert))].sort());
});

test.each([...sections])('the section %s has the parts “Look at” and “Do”', (_, text) => {
  const parts = [...text.matchAll(/^\*\*(\w[\w ]*)\.?\*\*/gm)].map(([, part]) => part);
  expect(parts).toEqual(['Look at', 'Do']);
});

test('docs/reference/alerts.md lists the alerts that docs/alerts.md explains', () => {
  const reference = readFileSync(join(__dirname, '../../docs/reference/alerts.md'), 'utf8');
  const named = [...reference.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(named).toEqual([...sections.keys()].sort());
});

test('the table of TrustAnchor conditions names each condition that the operator sets, and only existing alerts', () => {
  const table = page.slice(page.indexOf('| condition | alert |'), page.indexOf('### LinkerdTrustAnchorRotationDue'));
  const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');
  const steps = readdirSync(join(__dirname, '../../packages/anchor/rotation'));
  const namesIn = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, name]) => name);
  const set = [
    ...steps.flatMap((step) => namesIn(`packages/anchor/rotation/${step}`, /(?:passed|open)\(\s*'(\w+)'/g)),
    ...namesIn('packages/anchor/extend.ts', /type: '(\w+)'/g),
    ...namesIn('operator/src/anchor/status/anchor-status.ts', /state\('(\w+)'/g),
  ];
  const types = [...new Set([...set, 'RootsKnown'])];
  expect(types.length).toBeGreaterThan(10);
  for (const type of types) expect(table).toContain(`\`${type}\``);
  const named = [...table.matchAll(/`(Linkerd\w+)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !sections.has(name))).toEqual([]);
});

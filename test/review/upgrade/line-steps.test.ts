import { findReleaseChange } from '#lib/gitops/changes/release-change';
import { type LineFacts, type LineStep, lineSteps, oldestKubernetes } from '#lib/review/upgrade/line-steps';
import { CHANGED_DEFAULTS, GONE_VALUES } from '#linkerd/releases/changed-values';
import { definitionsOf } from '#linkerd/releases/definitions';
import type { Installed } from '#linkerd/releases/installed';
import { INTERMEDIATE_RELEASES } from '#linkerd/releases/intermediate-releases';
import type { ReleaseMove } from '#linkerd/releases/release-moves';

const PARTS = ['crds', 'cni', 'controlPlane', 'viz', 'jaeger'] as const;

function moved(from: string, to: string, parts: readonly (typeof PARTS)[number][] = PARTS): readonly ReleaseMove[] {
  return parts.map((part) => ({ part, from, to }));
}

function steps(from: string, to: string, facts: Partial<LineFacts> = {}): readonly LineStep[] {
  return lineSteps({ moves: moved(from, to), lostValues: [], changedDefaults: [], crds: {}, ...facts });
}

function textOf(all: readonly LineStep[], line: string): string {
  return all.find((step) => step.line === line)?.what.join('\n') ?? '';
}

test('an upgrade from 2.14 to 2.19 passes the releases that announced the lines between them', () => {
  expect(steps('stable-2.14.10', 'edge-25.10.7').map(({ line, release }) => [line, release])).toEqual([
    ['2.15', 'edge-24.2.4'],
    ['2.16', 'edge-24.8.2'],
    ['2.17', 'edge-24.11.8'],
    ['2.18', 'edge-25.4.4'],
  ]);
});

test('no single step of an upgrade needs an acknowledgement', () => {
  const releases = ['stable-2.14.10', ...INTERMEDIATE_RELEASES.map(({ version }) => version), 'edge-25.10.7'];
  const installed = (release: string): Installed => ({
    releases: { crds: release, controlPlane: release },
    definitions: definitionsOf(release, {}),
  });
  const found = releases.slice(1).map((release, index) => {
    const before = installed(releases[index] ?? '');
    return findReleaseChange('home', before, installed(release)).filter(({ severity }) => severity === 'error');
  });
  expect(found).toEqual([[], [], [], [], []]);
});

test('a step to a line that the library renders has the name of its release', () => {
  const all = steps('stable-2.14.10', 'edge-26.8.3');
  expect(all.map(({ line }) => line)).toEqual(['2.15', '2.16', '2.17', '2.18', '2.19']);
  expect(textOf(all, '2.19')).toContain('Set version to edge-25.10.7.');
});

test('an upgrade that skips no line, goes back, or starts before the known lines has no intermediate steps', () => {
  expect(steps('edge-25.10.7', 'edge-26.8.3')).toEqual([]);
  expect(steps('stable-2.14.10', 'edge-24.2.4')).toEqual([]);
  expect(steps('edge-26.8.3', 'stable-2.14.10')).toEqual([]);
  expect(steps('stable-2.12.0', 'edge-24.2.4')).toEqual([]);
  expect(steps('stable-2.14.10', 'mine')).toEqual([]);
  expect(lineSteps({ moves: [], lostValues: [], changedDefaults: [], crds: {} })).toEqual([]);
});

test('the charts of 2.15 have their own versions, and later charts the version of the release', () => {
  const all = steps('stable-2.14.10', 'edge-25.10.7');
  expect(textOf(all, '2.15')).toContain(
    'linkerd-crds 1.9.4-edge, linkerd2-cni 30.13.3-edge, linkerd-control-plane 1.18.10-edge, linkerd-viz 30.14.10-edge, linkerd-jaeger 30.14.10-edge from https://helm.linkerd.io/edge',
  );
  expect(textOf(all, '2.18')).toContain('linkerd-crds 2025.4.4');
  const few = steps('stable-2.14.10', 'edge-25.10.7', {
    moves: moved('stable-2.14.10', 'edge-25.10.7', ['controlPlane']),
  });
  expect(textOf(few, '2.16')).toContain(
    "Pull linkerd-crds 2024.8.2, linkerd-control-plane 2024.8.2 from https://helm.linkerd.io/edge (cdk8s-linkerd charts pull), and set version to Release.fromCharts(ChartFolder.at('charts'), 'edge-24.8.2').",
  );
  expect(textOf(few, '2.15')).not.toContain('collector.config');
});

test('each step lists the versions of CRDs that change with it', () => {
  const all = steps('stable-2.14.10', 'edge-25.10.7', { crds: {} });
  expect(textOf(all, '2.15')).toContain('servers.policy.linkerd.io adds v1beta2, stores v1beta2 instead of v1beta1.');
  expect(textOf(all, '2.16')).toContain('servers.policy.linkerd.io adds v1beta3, stores v1beta3 instead of v1beta2.');
  expect(textOf(all, '2.17')).toContain('egressnetworks.policy.linkerd.io is new.');
  expect(textOf(all, '2.18')).toContain(
    'httproutes.gateway.networking.k8s.io adds v1, no longer serves v1alpha2, stores v1 instead of v1beta1.',
  );
  const without = steps('stable-2.14.10', 'edge-25.10.7', { crds: { enableHttpRoutes: false } });
  expect(textOf(without, '2.18')).not.toContain('httproutes.gateway');
});

test('a removed value and a changed default are listed only at the release that changes them', () => {
  const all = steps('stable-2.14.10', 'edge-26.8.3', { lostValues: GONE_VALUES, changedDefaults: CHANGED_DEFAULTS });
  const lines = (text: string) => all.filter(({ what }) => what.join('\n').includes(text)).map(({ line }) => line);
  expect(lines('proxyInit.resources of')).toEqual(['2.16']);
  expect(lines('enableHttpRoutes of')).toEqual(['2.18']);
  expect(lines('proxy.enableShutdownEndpoint')).toEqual(['2.16']);
  expect(lines('proxy.outboundTransportMode')).toEqual(['2.18']);
  expect(lines('controlPlaneTracing of')).toEqual(['2.19']);
  // The last step of the plan lists this value.
  expect(lines('proxyInit.image of')).toEqual([]);
});

test('an unknown release requires the Kubernetes version of the nearest older release', () => {
  expect(oldestKubernetes('edge-99.1.1')).toBe(oldestKubernetes('edge-26.8.3'));
  expect(oldestKubernetes('edge-24.7.1')).toBe(oldestKubernetes('stable-2.14.10'));
  expect(oldestKubernetes('edge-25.4.4')).toBe('1.23');
  expect(oldestKubernetes('mine')).toBeUndefined();
});

test('a step that needs a newer Kubernetes reports it', () => {
  const all = steps('stable-2.14.10', 'edge-25.10.7');
  expect(textOf(all, '2.15')).toContain('Kubernetes 1.22 or newer');
  expect(textOf(all, '2.16')).not.toContain('or newer');
  expect(textOf(all, '2.18')).toContain('Kubernetes 1.23 or newer');
});

import { X509Certificate } from 'node:crypto';
import defaults from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import { mergeValues, type Values } from '../../../../operator/api/kubernetes/values-merge';
import { rejectionText } from '../../../../operator/src/config/checks/rejection-text';
import {
  type ConfigRequest,
  changesInjection,
  checkConfig,
  type RequestEvidence,
} from '../../../../operator/src/config/webhooks/check-config';
import { issueCertificate } from '../../../support/cluster/certificates';
import { linkerdConfig } from '../../../support/operator/config-fixture';

const NOW = new Date('2026-11-02T00:00:00Z');
const valid = { notBefore: new Date('2026-01-01'), notAfter: new Date('2036-01-01') };
const root = issueCertificate({ commonName: 'root', ca: true, ...valid });
const middle = issueCertificate({ commonName: 'middle', ca: true, issuer: root, ...valid });
const issuer = issueCertificate({ commonName: 'identity', ca: true, issuer: middle, ...valid });
const other = issueCertificate({ commonName: 'other-root', ca: true, ...valid });
const leaf = issueCertificate({ commonName: 'leaf', issuer: root, ...valid });
const expired = issueCertificate({
  commonName: 'expired',
  ca: true,
  notBefore: new Date('2020-01-01'),
  notAfter: new Date('2025-01-01'),
});
const future = issueCertificate({
  commonName: 'future',
  ca: true,
  notBefore: new Date('2030-01-01'),
  notAfter: new Date('2036-01-01'),
});
const chain = [issuer, middle].map(({ cert }) => new X509Certificate(cert));

function problems(request: ConfigRequest, evidence: Partial<RequestEvidence> = {}): readonly string[] {
  return checkConfig(request, { configs: [], issuer: chain, installed: undefined, now: NOW, ...evidence }).map(
    ({ what }) => what,
  );
}

function wanted(values: Values): ConfigRequest {
  return { config: linkerdConfig({ spec: { values } }) };
}

function anchors(...pems: readonly string[]): ConfigRequest {
  return wanted({ identityTrustAnchorsPEM: pems.join('') });
}

describe('trust anchors', () => {
  test('a CA to which the issuer leads, over an intermediate, is right', () => {
    expect(problems(anchors(root.cert))).toEqual([]);
  });

  test('the old one beside a new one is right', () => {
    expect(problems(anchors(other.cert, root.cert))).toEqual([]);
  });

  test.each<[string, readonly string[], RegExp]>([
    ['no certificate', ['text'], /holds no certificate/],
    ['what cannot be read', [root.cert, root.cert.replace(/\n[^-]{20}/, '\n')], /certificate 2 cannot be read/],
    ['a certificate that is no CA', [root.cert, leaf.cert], /certificate 2 \(CN=leaf\) is not a CA/],
    ['one that has expired', [root.cert, expired.cert], /certificate 2 \(CN=expired\) expired on 2025-01-01/],
    ['one that is not valid yet', [root.cert, future.cert], /certificate 2 \(CN=future\) is not valid before 2030/],
    ['one to which the issuer does not lead', [other.cert], /issuer in use does not chain to .*other-root/],
  ])('%s is refused', (_name, pems, what) => {
    expect(problems(anchors(...pems))).toEqual([expect.stringMatching(what)]);
  });

  test('without an issuer yet, any CA will do', () => {
    expect(problems(anchors(other.cert), { issuer: undefined })).toEqual([]);
  });

  test('empty ones, which mean those in use, are not looked at', () => {
    expect(problems(anchors(''))).toEqual([]);
  });

  test('that do not change are not looked at again, however bad', () => {
    const values = { identityTrustAnchorsPEM: expired.cert };
    const old = linkerdConfig({ spec: { values } });
    const config = linkerdConfig({ spec: { values: { ...values, clusterDomain: 'x' } } });
    expect(problems({ config, old })).toEqual([]);
    expect(problems({ config, old: linkerdConfig() })).toHaveLength(2);
  });
});

describe('a second LinkerdConfig for one ConfigMap', () => {
  const first = linkerdConfig({ name: 'first' });

  test('is refused', () => {
    expect(problems(wanted({}), { configs: [first] })).toEqual([
      'LinkerdConfig first configures linkerd/linkerd-config already',
    ]);
  });

  test('may be changed if it is there', () => {
    expect(problems({ ...wanted({}), old: linkerdConfig() }, { configs: [first] })).toEqual([]);
  });

  test('is none when it is about another one, or the same object again', () => {
    const elsewhere = linkerdConfig({ name: 'second', spec: { configMapName: 'other' } });
    expect(problems({ config: elsewhere }, { configs: [first] })).toEqual([]);
    expect(problems({ config: first }, { configs: [first] })).toEqual([]);
  });
});

describe('what the injector would fail on for each pod', () => {
  const installed: Values = defaults;
  const closeWait: Values = { proxyInit: { closeWaitTimeoutSecs: 30 } };
  const told =
    'with spec.values in force, values.proxyInit.closeWaitTimeoutSecs is 30, but proxyInit.runAsRoot is not true';

  test('is refused by what is in force together with the installation', () => {
    expect(problems(wanted(closeWait), { installed })).toEqual([told]);
    expect(
      problems(wanted(closeWait), { installed: mergeValues(installed, { proxyInit: { runAsRoot: true } }) }),
    ).toEqual([]);
    expect(
      problems(wanted({ proxyInit: { runAsRoot: false } }), { installed: mergeValues(installed, closeWait) }),
    ).toEqual([]);
  });

  test.each<[Values, RegExp]>([
    [{ proxy: null }, /values\.proxy is null, not a map/],
    [{ proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } }, /meshIdentity has no/],
  ])('%j is refused', (values, what) => {
    expect(problems(wanted(values), { installed })).toEqual([expect.stringMatching(what)]);
  });

  test.each<[Values, string]>([
    [{ clusterNetworks: 'abc' }, 'values.clusterNetworks[0] is "abc"'],
    [{ proxy: { metrics: null } }, 'values.proxy.metrics is null'],
    [{ proxy: { resources: null } }, 'values.proxy.resources is null'],
    [{ proxy: { startupProbe: null } }, 'values.proxy.startupProbe is null'],
    [{ identity: null }, 'values.identity is null'],
    [{ debugContainer: null }, 'values.debugContainer is null'],
    [{ debugContainer: { image: null } }, 'values.debugContainer.image is null'],
    [{ linkerdVersion: 'edge"26' }, 'values.linkerdVersion is "edge\\"26"'],
    [{ proxy: { image: { version: 'edge"26' } } }, 'values.proxy.image.version is "edge\\"26"'],
    [{ controllerReplicas: -1 }, 'values.controllerReplicas is -1'],
  ])('%j is refused, too', (values, what) => {
    expect(problems(wanted(values), { installed })).toEqual([expect.stringContaining(what)]);
  });

  test('includes proxies of a release that the control plane is not', () => {
    const other = wanted({ linkerdVersion: 'edge-99' });
    expect(problems(other, { installed })).toEqual([
      'with spec.values in force, values.linkerdVersion is "edge-99", but the control plane is edge-26.8.3',
    ]);
    expect(problems(wanted({ linkerdVersion: 'edge-26.8.3' }), { installed })).toEqual([]);
    const changed = linkerdConfig({ spec: { values: { linkerdVersion: 'edge-99', proxy: { logLevel: 'debug' } } } });
    expect(problems({ config: changed, old: other.config }, { installed })).toEqual([]);
  });

  test('is seen in what is given even where nothing is known of an installation', () => {
    expect(problems(wanted({ clusterNetworks: 'abc' }))).toHaveLength(1);
    expect(problems({ ...wanted({ clusterNetworks: 'abc' }), old: wanted({ clusterNetworks: 'abc' }).config })).toEqual(
      [],
    );
  });

  test('is not held against a change of another key in a map that the installation lacks', () => {
    const change = wanted({ debugContainer: { image: { pullPolicy: 'Always' } }, identity: { externalCA: true } });
    expect(problems(change, { installed: {} })).toEqual([]);
  });

  test('cannot be told without the values of an installation', () => {
    expect(problems(wanted(closeWait))).toEqual([]);
  });

  test('is not held against a change where the installation has it already', () => {
    const change = wanted({ proxy: { logLevel: 'debug' }, proxyInit: { runAsRoot: true } });
    for (const poor of [{ proxy: {} }, {}]) expect(problems(change, { installed: poor })).toEqual([]);
  });

  test('is not looked at again where it does not change', () => {
    const old = linkerdConfig({ spec: { values: closeWait } });
    const config = linkerdConfig({ spec: { values: { ...closeWait, proxy: { logLevel: 'debug' } } } });
    expect(problems({ config, old }, { installed })).toEqual([]);
    expect(problems({ config, old: linkerdConfig() }, { installed })).toEqual([told]);
  });

  test('reads as one sentence', () => {
    const [problem] = checkConfig(wanted(closeWait), { configs: [], issuer: undefined, installed, now: NOW });
    expect(problem && rejectionText([problem])).toBe(
      `${told}: only root may set the kernel parameter nf_conntrack_tcp_timeout_close_wait: pods do not start; set proxyInit.runAsRoot to true, or remove closeWaitTimeoutSecs`,
    );
  });
});

test.each<[string, ConfigRequest, boolean]>([
  ['a new one without any', { config: linkerdConfig() }, false],
  ['a new one with some', wanted({ proxy: {} }), true],
  ['a new one with others', wanted({ commonLabels: {} }), false],
  ['a new one with one at the end of names', wanted({ clusterDomain: 'a' }), true],
  ['a change', { ...wanted({ proxyInit: { uid: 1 } }), old: wanted({ proxyInit: { uid: 2 } }).config }, true],
  ['none any more', { config: linkerdConfig(), old: wanted({ cniEnabled: true }).config }, true],
  ['another order', { ...wanted({ proxy: { a: 1, b: 2 } }), old: wanted({ proxy: { b: 2, a: 1 } }).config }, false],
])('whether values change that the injector may fail on: %s', (_name, request, changes) => {
  expect(changesInjection(request)).toBe(changes);
});

test('private keys are refused wherever they stand', () => {
  const key = { name: 'X', value: root.key };
  expect(
    problems(wanted({ proxy: { additionalEnv: [key] }, identityTrustAnchorsPEM: `${root.cert}${root.key}` })),
  ).toEqual([
    'spec.values.proxy.additionalEnv[0].value holds a private key',
    'spec.values.identityTrustAnchorsPEM holds a private key',
  ]);
});

test('all that is wrong is said at once, with why and what to do', () => {
  const found = checkConfig(anchors(expired.cert), {
    configs: [linkerdConfig({ name: 'first' })],
    issuer: chain,
    installed: undefined,
    now: NOW,
  });
  const lines = rejectionText(found).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe(
    'LinkerdConfig first configures linkerd/linkerd-config already: the two would overwrite each other; add the values to LinkerdConfig first, or delete that one first',
  );
});

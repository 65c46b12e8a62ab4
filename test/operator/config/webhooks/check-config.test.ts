import { X509Certificate } from 'node:crypto';
import { mergeValues, type Values } from '#base/values';
import defaults from '#imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import { INJECTION_FINDINGS } from '#linkerd/injection/findings';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { rejectionText } from '#operator/src/config/checks/rejection-text';
import {
  type ConfigRequest,
  changesInjection,
  checkConfig,
  type RequestEvidence,
} from '#operator/src/config/webhooks/check-config';
import { issueCertificate } from '#test/support/cluster/certificates';
import { facts } from '#test/support/findings';
import { linkerdConfig } from '#test/support/operator/config-fixture';

const NOW = new Date('2026-11-02T00:00:00Z');
const ANCHORS = 'spec.values.identityTrustAnchorsPEM';
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

function problems(request: ConfigRequest, evidence: Partial<RequestEvidence> = {}) {
  return checkConfig(request, { configs: [], issuer: chain, installed: undefined, now: NOW, ...evidence }).map(facts);
}

function wanted(values: Values): ConfigRequest {
  return { config: linkerdConfig({ spec: { values } }) };
}

function anchors(...pems: readonly string[]): ConfigRequest {
  return wanted({ identityTrustAnchorsPEM: pems.join('') });
}

describe('the webhook for LinkerdConfigs, given trust anchors,', () => {
  test('accepts a CA to which the issuer chains over an intermediate', () => {
    expect(problems(anchors(root.cert))).toEqual([]);
  });

  test('accepts the old anchor together with a new one', () =>
    expect(problems(anchors(other.cert, root.cert))).toEqual([]));

  test.each<[string, readonly string[], object]>([
    ['a text without a certificate', ['text'], { finding: 'config-anchors-invalid/missing' }],
    [
      'an unreadable certificate',
      [root.cert, root.cert.replace(/\n[^-]{20}/, '\n')],
      { finding: 'config-anchors-invalid/unreadable', certificate: `${ANCHORS}: certificate 2` },
    ],
    [
      'a certificate that is not a CA',
      [root.cert, leaf.cert],
      { finding: 'config-anchors-invalid/not-ca', certificate: `${ANCHORS}: certificate 2 (CN=leaf)` },
    ],
    [
      'an expired certificate',
      [root.cert, expired.cert],
      { finding: 'config-anchors-invalid/expired', end: '2025-01-01T00:00:00.000Z' },
    ],
    [
      'a certificate that is not yet valid',
      [root.cert, future.cert],
      { finding: 'config-anchors-invalid/not-yet-valid', start: '2030-01-01T00:00:00.000Z' },
    ],
    [
      'a certificate to which the issuer does not chain',
      [other.cert],
      { finding: 'issuer-not-of-anchor', anchors: expect.stringContaining('other-root') },
    ],
  ])('refuses %s', (_name, pems, problem) => expect(problems(anchors(...pems))).toMatchObject([problem]));

  test('accepts any CA without an issuer in use', () => {
    expect(problems(anchors(other.cert), { issuer: undefined })).toEqual([]);
  });

  test('does not check an empty value, which means the trust anchors in use', () =>
    expect(problems(anchors(''))).toEqual([]));

  test('does not check unchanged trust anchors again, even if they are invalid', () => {
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
    expect(problems(wanted({}), { configs: [first] })).toMatchObject([
      { finding: 'second-linkerd-config', name: 'first', configMap: 'linkerd/linkerd-config' },
    ]);
  });

  test('may be changed if it exists already', () => {
    expect(problems({ ...wanted({}), old: linkerdConfig() }, { configs: [first] })).toEqual([]);
  });

  test('does not conflict if its ConfigMap differs, or if it is the same object', () => {
    const elsewhere = linkerdConfig({ name: 'second', spec: { configMapName: 'other' } });
    expect(problems({ config: elsewhere }, { configs: [first] })).toEqual([]);
    expect(problems({ config: first }, { configs: [first] })).toEqual([]);
  });
});

describe('a value on which the injector would fail for each pod', () => {
  const installed: Values = defaults;
  const closeWait: Values = { proxyInit: { closeWaitTimeoutSecs: 30 } };
  const refused = { finding: 'injected-value-refused/init-wait', seconds: '30' };

  test('is refused if it results from the configuration in force and the installation', () => {
    expect(problems(wanted(closeWait), { installed })).toMatchObject([refused]);
    expect(
      problems(wanted(closeWait), { installed: mergeValues(installed, { proxyInit: { runAsRoot: true } }) }),
    ).toEqual([]);
    expect(
      problems(wanted({ proxyInit: { runAsRoot: false } }), { installed: mergeValues(installed, closeWait) }),
    ).toEqual([]);
  });

  test.each<[Values, object]>([
    [{ proxy: null }, { finding: 'injected-value-missing/map', path: 'proxy' }],
    [
      { proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } },
      { finding: 'injected-value-missing/trace-identity' },
    ],
    [{ linkerdVersion: 'edge"26' }, { finding: 'release-in-config', version: '"edge\\"26"' }],
    [
      { proxy: { image: { version: 'edge"26' } } },
      { finding: 'injected-value-refused/text', field: 'values.proxy.image.version', value: '"edge\\"26"' },
    ],
  ])('is refused: %j', (values, problem) => expect(problems(wanted(values), { installed })).toMatchObject([problem]));

  test('is refused if it selects proxies of another release than the control plane', () => {
    const other = wanted({ linkerdVersion: 'edge-99' });
    expect(problems(other, { installed })).toMatchObject([
      { finding: 'release-in-config', version: '"edge-99"', release: 'edge-26.8.3' },
    ]);
    expect(problems(wanted({ linkerdVersion: 'edge-26.8.3' }), { installed })).toEqual([]);
    const changed = linkerdConfig({ spec: { values: { linkerdVersion: 'edge-99', proxy: { logLevel: 'debug' } } } });
    expect(problems({ config: changed, old: other.config }, { installed })).toEqual([]);
  });

  test('is refused in the given values even without a known installation', () => {
    expect(problems(wanted({ clusterNetworks: 'abc' }))).toHaveLength(1);
    expect(problems({ ...wanted({ clusterNetworks: 'abc' }), old: wanted({ clusterNetworks: 'abc' }).config })).toEqual(
      [],
    );
  });

  test('does not block a change of another key in a map that the installation lacks', () => {
    const change = wanted({ debugContainer: { image: { pullPolicy: 'Always' } }, identity: { externalCA: true } });
    expect(problems(change, { installed: {} })).toEqual([]);
  });

  test('is not refused without the values of an installation', () => expect(problems(wanted(closeWait))).toEqual([]));

  test('does not block a change if the installation has it already', () => {
    const change = wanted({ proxy: { logLevel: 'debug' }, proxyInit: { runAsRoot: true } });
    for (const poor of [{ proxy: {} }, {}]) expect(problems(change, { installed: poor })).toEqual([]);
  });

  test('is not checked again if it does not change', () => {
    const old = linkerdConfig({ spec: { values: closeWait } });
    const config = linkerdConfig({ spec: { values: { ...closeWait, proxy: { logLevel: 'debug' } } } });
    expect(problems({ config, old }, { installed })).toEqual([]);
    expect(problems({ config, old: linkerdConfig() }, { installed })).toMatchObject([refused]);
  });

  test('causes a rejection of one sentence if the values in force already have it', () => {
    const [problem] = checkConfig(wanted(closeWait), { configs: [], issuer: undefined, installed, now: NOW });
    const { what, why, fix } = INJECTION_FINDINGS.injectedValueRefusedInitWait({ seconds: '30' });
    expect(problem && rejectionText([problem])).toBe(
      `with spec.values in force, ${what}: ${why.charAt(0).toLowerCase()}${why.slice(1)}; ${fix}`,
    );
  });
});

test.each<[string, ConfigRequest, boolean]>([
  ['a new LinkerdConfig without values', { config: linkerdConfig() }, false],
  ['a new LinkerdConfig with values of proxies', wanted({ proxy: {} }), true],
  ['a new LinkerdConfig with other values', wanted({ commonLabels: {} }), false],
  ['a new clusterDomain', wanted({ clusterDomain: 'a' }), true],
  ['a new value', { ...wanted({ proxyInit: { uid: 1 } }), old: wanted({ proxyInit: { uid: 2 } }).config }, true],
  ['the removal of values', { config: linkerdConfig(), old: wanted({ cniEnabled: true }).config }, true],
  [
    'another order of keys',
    { ...wanted({ proxy: { a: 1, b: 2 } }), old: wanted({ proxy: { b: 2, a: 1 } }).config },
    false,
  ],
])('the webhook detects whether injection changes with %s', (_name, request, changes) => {
  expect(changesInjection(request)).toBe(changes);
});

test('the webhook refuses private keys in any field', () => {
  const key = { name: 'X', value: root.key };
  expect(
    problems(wanted({ proxy: { additionalEnv: [key] }, identityTrustAnchorsPEM: `${root.cert}${root.key}` })),
  ).toMatchObject([
    { finding: 'private-key-found/values', path: 'spec.values.proxy.additionalEnv[0].value' },
    { finding: 'private-key-found/values', path: 'spec.values.identityTrustAnchorsPEM' },
  ]);
});

test('a rejection lists all problems at once, with reasons and fixes', () => {
  const found = checkConfig(anchors(expired.cert), {
    configs: [linkerdConfig({ name: 'first' })],
    issuer: chain,
    installed: undefined,
    now: NOW,
  });
  const lines = rejectionText(found).split('\n');
  expect(lines).toHaveLength(3);
  const second = WEBHOOK_FINDINGS.secondLinkerdConfig({ name: 'first', configMap: 'linkerd/linkerd-config' });
  expect(lines[0]).toBe(rejectionText([second]));
});

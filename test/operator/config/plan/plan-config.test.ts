import { FIELD_MANAGER, RESTORE_FINALIZER } from '#operator/api/names';
import type { ConfigMap } from '#operator/src/config/objects/linkerd-config';
import { configHash } from '#operator/src/config/values/read-values';
import { keptBaseline, linkerdConfig, valuesConfigMap } from '#test/support/operator/config-fixture';
import { DEBUG, DEBUG_HASH, FOUND, FOUND_HASH, keeps, kept, OTHER, plan, wantsDebug } from './planned';

describe('the adoption of an installation', () => {
  test('by a LinkerdConfig without values keeps the found configuration and writes nothing', () => {
    expect(plan(linkerdConfig(), valuesConfigMap(FOUND, 'helm'))).toMatchObject({
      steps: [keeps(FOUND)],
      notes: [{ type: 'Normal', reason: 'Adopted' }],
      inForce: { valuesHash: FOUND_HASH, adoptedHash: FOUND_HASH },
    });
  });

  test('continues after a crash between two writes, without drift', () => {
    const config = linkerdConfig({ spec: wantsDebug });
    expect(plan(config, valuesConfigMap(FOUND, 'kubectl-create'), kept)).toMatchObject({
      steps: [{ do: 'write-values', text: DEBUG }],
      notes: [],
    });
  });

  test.each([
    ['a lost ConfigMap of the baseline', undefined],
    ['an empty ConfigMap of the baseline', { ...kept, data: {} }],
  ])('reports %s', (_how, baseline) => {
    const config = linkerdConfig({ spec: wantsDebug, status: { valuesHash: DEBUG_HASH } });
    expect(plan(config, valuesConfigMap(DEBUG, FIELD_MANAGER), baseline)).toMatchObject({
      steps: [keeps(DEBUG, { hash: DEBUG_HASH })],
      notes: [{ type: 'Warning', reason: 'BaselineLost' }],
    });
  });
});

describe('a LinkerdConfig that is in force', () => {
  test('writes its values, without drift if another client has written the same values', () => {
    const changed = linkerdConfig({ status: { valuesHash: DEBUG_HASH } });
    expect(plan(changed, valuesConfigMap(DEBUG, 'kubectl-edit'), kept)).toMatchObject({
      steps: [{ do: 'write-values', text: FOUND }],
      notes: [],
    });
  });

  test('has no drift after a crash between the write and the status', () => {
    const changed = linkerdConfig({ spec: { values: { proxy: { uid: 5 } } }, status: { valuesHash: FOUND_HASH } });
    expect(plan(changed, valuesConfigMap(DEBUG, FIELD_MANAGER), kept).notes).toEqual([]);
  });
});

describe('a write of another client', () => {
  const config = linkerdConfig({ spec: wantsDebug, status: { valuesHash: DEBUG_HASH } });

  test.each(['helm', 'argocd-controller'])('becomes the new baseline if %s is the client', (installer) => {
    expect(plan(config, valuesConfigMap(OTHER, installer), kept)).toMatchObject({
      steps: [keeps(OTHER), { do: 'write-values', text: 'proxy:\n  logLevel: debug\n  uid: 1\n' }],
      notes: [{ type: 'Normal', reason: 'BaselineUpdated', note: expect.stringContaining(installer) }],
      inForce: { valuesHash: configHash({ proxy: { logLevel: 'debug', uid: 1 } }), adoptedHash: FOUND_HASH },
    });
  });

  test.each([
    ['as their only owner', ['helm']],
    ['as an owner together with the operator', [FIELD_MANAGER, 'argocd-controller']],
  ])("becomes the new baseline even if an installer writes the operator's values, %s", (_how, writers) => {
    expect(plan(config, valuesConfigMap(DEBUG, ...writers), kept)).toMatchObject({
      steps: [keeps(DEBUG)],
      notes: [{ reason: 'BaselineUpdated' }],
      inForce: { valuesHash: DEBUG_HASH, adoptedHash: FOUND_HASH },
    });
  });

  test('becomes the baseline again without an Event if the installer repeats it', () => {
    expect(plan(config, valuesConfigMap(FOUND, 'helm'), kept)).toMatchObject({
      steps: [{ do: 'write-values', text: DEBUG }],
      notes: [],
    });
  });

  test('is reverted as drift if no installer wrote it, with an Event that names client and change', () => {
    const drift = plan(config, valuesConfigMap(OTHER, 'kubectl-edit'), kept);
    expect(drift.steps).toEqual([{ do: 'write-values', text: DEBUG }]);
    expect(drift.notes).toEqual([
      {
        type: 'Warning',
        reason: 'DriftReverted',
        note:
          'Reverted the changes of other field managers (kubectl-edit) to the values: proxy.logLevel, proxy.uid. ' +
          'Pods created in the meantime may have this configuration: restart them',
      },
    ]);
  });

  test('is drift if the API server names no field manager', () => {
    expect(plan(config, valuesConfigMap(OTHER), kept).notes).toMatchObject([
      { note: expect.stringContaining('an unknown field manager') },
    ]);
  });

  test('is drift if it is not YAML', () => {
    expect(plan(config, valuesConfigMap('a: [', 'kubectl-edit'), kept)).toMatchObject({
      steps: [{ do: 'write-values', text: DEBUG }],
      notes: [{ reason: 'DriftReverted', note: expect.stringContaining('not YAML') }],
    });
  });

  test("becomes no baseline if an installer wrote invalid YAML, and stops the operator's writes until fixed", () => {
    expect(plan(config, valuesConfigMap('a: [', 'helm'), kept)).toMatchObject({
      steps: [],
      problem: { reason: 'ValuesUnreadable' },
    });
  });

  test('causes an Event that names at most five paths', () => {
    const many = Array.from({ length: 8 }, (_, index) => `k${index}: 1`).join('\n');
    const [note] = plan(config, valuesConfigMap(`${DEBUG}${many}\n`, 'kubectl-edit'), kept).notes;
    expect(note?.note).toMatch(/: k0, k1, k2, k3, k4 and 3 more\. Pods/);
  });
});

describe('handover from another LinkerdConfig', () => {
  const theirs = keptBaseline({ text: FOUND, adoptedBy: 'uid-other', adoptedHash: FOUND_HASH });

  test('keeps the baseline when the operator wrote the values last', () => {
    expect(plan(linkerdConfig(), valuesConfigMap(DEBUG, FIELD_MANAGER), theirs)).toMatchObject({
      steps: [keeps(FOUND), { do: 'write-values', text: FOUND }],
      notes: [],
      inForce: { valuesHash: FOUND_HASH, adoptedHash: FOUND_HASH },
    });
  });

  test('takes values that an installer owns together with the operator', () => {
    expect(plan(linkerdConfig(), valuesConfigMap(DEBUG, FIELD_MANAGER, 'helm'), theirs)).toMatchObject({
      steps: [keeps(DEBUG)],
      notes: [{ reason: 'BaselineUpdated' }],
      inForce: { valuesHash: DEBUG_HASH, adoptedHash: FOUND_HASH },
    });
  });
});

describe('unusable input', () => {
  const noValues: ConfigMap = { metadata: { namespace: 'linkerd', name: 'linkerd-config' }, data: { global: '' } };

  test.each([
    ['a missing ConfigMap', undefined, undefined, 'ConfigMapNotFound'],
    ['a ConfigMap without values', noValues, undefined, 'ValuesNotFound'],
    ['values that are not YAML at adoption', valuesConfigMap('a: [', 'helm'), undefined, 'ValuesUnreadable'],
    ['a broken baseline', valuesConfigMap(FOUND, FIELD_MANAGER), keptBaseline({ text: '- 1' }), 'BaselineUnreadable'],
  ])('such as %s is reported as a problem, and the operator writes nothing', (_name, configMap, baseline, reason) => {
    const { steps, problem, inForce } = plan(
      linkerdConfig({ status: { valuesHash: FOUND_HASH } }),
      configMap,
      baseline,
    );
    expect({ steps, reason: problem?.reason, inForce }).toEqual({ steps: [], reason, inForce: undefined });
  });
});

describe('values on which the injector would fail', () => {
  const broken = { values: { clusterNetworks: 'abc' } };
  const refused = { steps: [], notes: [], isAccepted: false, problem: { reason: 'InvalidValues' } };

  test('are not put in force at adoption', () => {
    const { inForce, ...rest } = plan(linkerdConfig({ spec: broken }), valuesConfigMap(FOUND, 'helm'));
    expect({ inForce, rest }).toMatchObject({ inForce: undefined, rest: refused });
  });

  test('leave the configuration in force as it is', () => {
    const config = linkerdConfig({ spec: broken, status: { valuesHash: DEBUG_HASH } });
    expect(plan(config, valuesConfigMap(DEBUG, FIELD_MANAGER), kept)).toMatchObject(refused);
  });

  test("do not prevent an installer's later values from becoming the baseline", () => {
    expect(plan(linkerdConfig({ spec: broken }), valuesConfigMap(OTHER, 'helm'), kept)).toMatchObject({
      ...refused,
      steps: [keeps(OTHER)],
      notes: [{ reason: 'BaselineUpdated' }],
    });
  });
});

describe('the finalizer', () => {
  test('is removed with Retain', () => {
    const config = linkerdConfig({ finalizers: [RESTORE_FINALIZER] });
    expect(plan(config, valuesConfigMap(FOUND, 'helm'), kept).steps).toEqual([{ do: 'remove-finalizer' }]);
  });

  test('is added even if the operator cannot write values', () => {
    expect(plan(linkerdConfig({ spec: { deletionPolicy: 'Restore' } })).steps).toEqual([{ do: 'add-finalizer' }]);
  });
});

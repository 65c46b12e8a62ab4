import type { LiveObject } from '../../../tools/e2e/kubectl';
import { durationText, formatResult, type RunResult, stepLine } from '../../../tools/e2e/results';
import { notRefused } from '../../../tools/e2e/steps/policy';
import { milestoneGap } from '../../../tools/e2e/steps/rotation';
import { unhealthy } from '../../../tools/e2e/sync';

const live = (kind: string, status: object, spec: object = {}, generation = 2): LiveObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'one', uid: 'u', generation },
  spec,
  status,
});
const condition = (type: string, status = 'True', message = 'why') => ({ type, status, message });

describe('the health of an object', () => {
  const whole = { observedGeneration: 2, updatedReplicas: 2, replicas: 2, availableReplicas: 2 };

  test.each([
    ['as applied', whole, true],
    ['not seen by its controller', { ...whole, observedGeneration: 1 }, false],
    ['with pods to come', { ...whole, updatedReplicas: 1, replicas: 1 }, false],
    ['with pods to end', { ...whole, replicas: 3 }, false],
    ['with pods that are not available', { ...whole, availableReplicas: 1 }, false],
    ['without a status', {}, false],
  ])('a Deployment %s', (_, status, isHealthy) => {
    expect(unhealthy(live('Deployment', status, { replicas: 2 })) === undefined).toBe(isHealthy);
  });

  test('is that of the condition that its controller sets', () => {
    expect(unhealthy(live('Certificate', { conditions: [condition('Ready')] }))).toBeUndefined();
    expect(unhealthy(live('Certificate', { conditions: [condition('Ready', 'False', 'no issuer')] }))).toContain(
      'no issuer',
    );
    expect(unhealthy(live('Bundle', {}))).toBeDefined();
  });

  test('of other kinds is that they exist', () => {
    expect(unhealthy(live('ConfigMap', {}))).toBeUndefined();
    expect(unhealthy(undefined)).toBeDefined();
  });
});

describe('the milestones of a rotation', () => {
  test('are reached one after the other', () => {
    const reached: string[] = [];
    const conditions = [condition('Minted'), condition('Announced', 'False', 'two minutes'), condition('Bridged')];
    const gap = milestoneGap(live('TrustAnchor', { conditions }), 'Retired', (name) => reached.push(name));
    expect(reached).toEqual(['Minted']);
    expect(gap).toContain('Announced: two minutes');
  });

  test('end with the one that is awaited', () => {
    const conditions = ['Minted', 'Announced', 'Bridged', 'Signing', 'LeavesTurned'].map((type) => condition(type));
    expect(milestoneGap(live('TrustAnchor', { conditions }), 'LeavesTurned', () => undefined)).toBeUndefined();
    expect(milestoneGap(live('TrustAnchor', { conditions }), 'Retired', () => undefined)).toContain('Adopted');
    expect(milestoneGap(undefined, 'Retired', () => undefined)).toContain('Minted');
  });
});

describe('a client that is not allowed', () => {
  test('is refused when enough requests of each kind failed and none succeeded', () => {
    const failed = (count: number, ok = 0) => ({ ok, failed: { 'HTTP 403': count }, reconnects: 0 });
    expect(notRefused({ fresh: failed(10), opaque: failed(12) })).toBeUndefined();
    expect(notRefused({ fresh: failed(10), opaque: failed(9) })).toContain('fewer');
    expect(notRefused({ fresh: failed(10), opaque: failed(12, 1) })).toContain('got through');
    expect(notRefused({})).toBeDefined();
  });
});

describe('the result of a run', () => {
  const result: RunResult = {
    version: 1,
    run: 'e2e-1',
    kubernetes: 'v1.34.4',
    nodes: 1,
    release: 'edge-26.8.3',
    steps: [
      { step: 'install', ok: true, seconds: 125, text: 'installed' },
      {
        step: 'traffic',
        ok: false,
        seconds: 7.4,
        text: 'failed',
        traffic: { fresh: { ok: 12, failed: { timeout: 1 }, reconnects: 0 } },
      },
    ],
  };

  test('has a line for each step, with its duration', () => {
    expect(result.steps.map(stepLine)).toEqual([
      'ok      install     2m05s  installed',
      'FAILED  traffic        7s  failed',
    ]);
    expect([0, 59.6, 3600].map(durationText)).toEqual(['0s', '1m00s', '60m00s']);
  });

  test('is a table, data for programs, or a sum', () => {
    expect(formatResult(result, 'markdown')).toContain('| fresh | 12 | 1 timeout | 0 |');
    expect(JSON.parse(formatResult(result, 'json'))).toEqual(result);
    expect(formatResult(result, 'text')).toBe('12 requests succeeded; failed: 1 timeout\n');
    expect(formatResult({ ...result, steps: [] }, 'text')).toBe('');
  });
});

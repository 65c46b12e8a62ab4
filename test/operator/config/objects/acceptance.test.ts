import { acceptance } from '#operator/src/config/objects/acceptance';
import { linkerdConfig } from '#test/support/operator/config-fixture';

const old = linkerdConfig({ name: 'old', creationTimestamp: '2026-11-01T00:00:00Z' });
const young = linkerdConfig({ name: 'young', creationTimestamp: '2026-11-01T00:00:01Z' });
const twin = linkerdConfig({ name: 'a-twin', creationTimestamp: '2026-11-01T00:00:01Z' });
const all = [young, old, twin];

test('the operator applies the oldest LinkerdConfig', () => {
  expect(acceptance(old, all, 'linkerd')).toEqual({ accepted: true });
});

test('a younger LinkerdConfig conflicts, and its status names the active one', () => {
  expect(acceptance(young, all, 'linkerd')).toMatchObject({
    accepted: false,
    reason: 'Conflict',
    message: expect.stringMatching(/^LinkerdConfig old .* linkerd\/linkerd-config/),
  });
});

test('after a deletion the next oldest LinkerdConfig is active, or of equal age the first by name', () => {
  expect(acceptance(twin, [young, twin], 'linkerd').accepted).toBe(true);
  expect(acceptance(young, [young, twin], 'linkerd')).toMatchObject({ reason: 'Conflict' });
  expect(acceptance(young, [young], 'linkerd').accepted).toBe(true);
});

test('a LinkerdConfig that is being deleted counts until it is gone', () => {
  const going = { ...old, metadata: { ...old.metadata, deletionTimestamp: '2026-11-02T00:00:00Z' } };
  expect(acceptance(young, [young, going], 'linkerd').accepted).toBe(false);
});

test('LinkerdConfigs for other ConfigMaps or namespaces do not conflict', () => {
  const elsewhere = [
    linkerdConfig({ name: 'b', creationTimestamp: '2020-01-01T00:00:00Z', spec: { configMapName: 'other' } }),
    linkerdConfig({ name: 'c', creationTimestamp: '2020-01-01T00:00:00Z', spec: { controlPlaneNamespace: 'other' } }),
  ];
  expect(acceptance(old, [...elsewhere, old], 'linkerd').accepted).toBe(true);
});

test('the operator does not serve a control plane without permissions for it', () => {
  expect(acceptance(old, [old], 'elsewhere')).toMatchObject({ accepted: false, reason: 'UnservedNamespace' });
});

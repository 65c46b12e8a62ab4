import { describeListed, goneSince, type Listed, leftBehind, parseInventory } from '../../../tools/e2e/inventory';

const listed = (name: string, more: Partial<Listed> = {}): Listed => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  namespace: 'shop',
  name,
  uid: `uid-${name}`,
  isOwned: false,
  ...more,
});

describe('the list of everything in a cluster', () => {
  test('is read from columns, with and without a namespace and an owner', () => {
    const text = [
      'Namespace     v1        <none>   shop        u1   <none>       e2e-1',
      'ReplicaSet    apps/v1   shop     web-1       u2   Deployment   <none>',
      '',
      'error: not found',
    ].join('\n');
    expect(parseInventory(text)).toEqual([
      { kind: 'Namespace', apiVersion: 'v1', name: 'shop', uid: 'u1', isOwned: false, run: 'e2e-1' },
      { kind: 'ReplicaSet', apiVersion: 'apps/v1', namespace: 'shop', name: 'web-1', uid: 'u2', isOwned: true },
    ]);
  });

  test('shows what is new: by uid, so that an object that was made again counts', () => {
    const [old, same] = [listed('old'), listed('same')];
    const again = listed('old', { uid: 'another' });
    expect(leftBehind([old, same], [again, same]).others).toEqual([again]);
    expect(goneSince([old, same], [again, same])).toEqual([old]);
  });

  test('leaves out what others own, and what passes by itself', () => {
    const after = [listed('pod', { isOwned: true }), listed('happened', { kind: 'Event' })];
    expect(leftBehind([], after).others).toEqual([]);
    expect(goneSince(after, [])).toEqual([]);
  });

  test('counts an object of two API groups once', () => {
    const one = listed('web', { kind: 'Ingress', apiVersion: 'extensions/v1beta1' });
    expect(leftBehind([], [one, { ...one, apiVersion: 'networking.k8s.io/v1' }]).others).toHaveLength(1);
  });

  test('separates what may stay, by the first reason', () => {
    const promises = [
      { reason: 'roots', is: ({ name }: Listed) => name === 'roots' },
      { reason: 'all', is: ({ name }: Listed) => name !== 'other' },
    ];
    const { promised, others } = leftBehind([], [listed('roots'), listed('more'), listed('other')], promises);
    expect([...promised].map(([reason, list]) => [reason, list.map(describeListed)])).toEqual([
      ['roots', ['ConfigMap shop/roots']],
      ['all', ['ConfigMap shop/more']],
    ]);
    expect(others.map(({ name }) => name)).toEqual(['other']);
  });
});

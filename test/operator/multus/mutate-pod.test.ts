import { mutatePod, type NewPod } from '#operator/src/multus/mutate-pod';

const SETTINGS = {
  linkerdNamespace: 'linkerd',
  cniNamespace: 'linkerd-cni',
  linkerdProxyUidOffset: 2102,
  namespaceUidRangeAnnotation: 'openshift.io/sa.scc.uid-range',
};

type Texts = Readonly<Record<string, string>>;

const pod = (annotations?: Texts, rest: Partial<NewPod> = {}): NewPod => ({
  namespace: 'shop',
  labels: {},
  annotations,
  isOnHostNetwork: false,
  ...rest,
});

/** The pod's annotations after the mutation. */
function annotated(subject: NewPod, namespace: Texts = {}): Texts | undefined {
  let { annotations } = subject;
  for (const operation of mutatePod(subject, namespace, SETTINGS).patch) {
    if (operation.op !== 'add') throw new Error(`unexpected ${operation.op}`);
    const key = operation.path
      .replace(/^\/metadata\/annotations\/?/, '')
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    annotations = key === '' ? (operation.value as Texts) : { ...annotations, [key]: operation.value as string };
  }
  return annotations;
}

const MULTUS = 'linkerd.io/multus';
const INJECT = 'linkerd.io/inject';
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const PROXY_UID = 'config.linkerd.io/proxy-uid';
const RANGE = 'openshift.io/sa.scc.uid-range';
const COMPONENT = 'linkerd.io/control-plane-component';
const MESHED = { [MULTUS]: 'enabled', [INJECT]: 'enabled' };

describe('the webhook handles each combination of pod and namespace annotations', () => {
  const given = (key: string, value: string | undefined): Texts => (value === undefined ? {} : { [key]: value });
  const multus = [undefined, '', 'enabled', 'disabled'];
  const inject = [undefined, '', 'enabled', 'ingress', 'disabled'];
  const kinds = ['shop', 'linkerd', 'kube-system', 'linkerd-cni'] as const;

  const combinations = kinds.flatMap((namespace) =>
    [undefined, '', 'destination'].flatMap((component) =>
      multus.flatMap((podMultus) =>
        multus.flatMap((nsMultus) =>
          inject.flatMap((podInject) =>
            inject.map((nsInject) => ({ namespace, component, podMultus, nsMultus, podInject, nsInject })),
          ),
        ),
      ),
    ),
  );

  type Combination = (typeof combinations)[number];

  const own = ({ podMultus, podInject }: Combination) => ({ ...given(MULTUS, podMultus), ...given(INJECT, podInject) });

  function after(combination: Combination): Texts | undefined {
    const { namespace, component, nsMultus, nsInject } = combination;
    const subject = pod(own(combination), { namespace, labels: given(COMPONENT, component) });
    return annotated(subject, { ...given(MULTUS, nsMultus), ...given(INJECT, nsInject) });
  }

  function expected(combination: Combination): Texts {
    const saysMultus = combination.podMultus || combination.nsMultus;
    const saysInject = combination.podInject || combination.nsInject;
    const isAsked = saysMultus === 'enabled' && ['enabled', 'ingress'].includes(saysInject ?? '');
    const attaches = {
      shop: isAsked,
      linkerd: isAsked || combination.component === 'destination',
      'kube-system': false,
      'linkerd-cni': false,
    }[combination.namespace];
    if (!attaches) return own(combination);
    return {
      ...own(combination),
      ...given(MULTUS, saysMultus || undefined),
      ...given(INJECT, saysInject || undefined),
      [NETWORKS]: 'linkerd-cni',
    };
  }

  test.each(kinds.map((kind) => ({ kind })))('in $kind', ({ kind }) => {
    for (const combination of combinations.filter(({ namespace }) => namespace === kind)) {
      expect({ combination, after: after(combination) }).toEqual({ combination, after: expected(combination) });
    }
  });
});

describe('a pod in the mesh', () => {
  test('gets a map of annotations if it has none', () => {
    expect(mutatePod(pod(undefined), MESHED, SETTINGS)).toEqual({
      patch: [{ op: 'add', path: '/metadata/annotations', value: { ...MESHED, [NETWORKS]: 'linkerd-cni' } }],
      warnings: [],
    });
  });

  test('gets a warning if no controller creates its network', () => {
    const warnings = (annotations: Texts, namespace?: string) =>
      mutatePod(pod(MESHED, namespace === undefined ? {} : { namespace }), annotations, SETTINGS).warnings;
    const warning =
      'namespace shop is not annotated linkerd.io/multus: enabled, so nothing creates its network linkerd-cni: the pod starts only if that network exists';
    expect(warnings({})).toEqual([warning]);
    expect(warnings({ [MULTUS]: 'disabled' })).toEqual([warning]);
    expect(warnings({ [MULTUS]: 'enabled' })).toEqual([]);
    expect(warnings({}, 'linkerd')).toEqual([]);
  });

  test('attaches without annotations if it belongs to the control plane', () => {
    const component = pod(undefined, { namespace: 'linkerd', labels: { [COMPONENT]: 'identity' } });
    expect(annotated(component)).toEqual({ [NETWORKS]: 'linkerd-cni' });
  });

  test('keeps its other networks', () => {
    expect(annotated(pod({ ...MESHED, [NETWORKS]: 'storage' }))).toMatchObject({ [NETWORKS]: 'storage,linkerd-cni' });
  });

  test('is unchanged, with a warning, if its networks are unreadable', () => {
    expect(mutatePod(pod({ ...MESHED, [NETWORKS]: '[{' }), { [RANGE]: '5/10' }, SETTINGS)).toEqual({
      patch: [],
      warnings: [
        'not attached to linkerd-cni: annotation k8s.v1.cni.cncf.io/networks is neither a comma-separated list of networks nor a JSON list of objects',
      ],
    });
  });
});

test("the webhook skips a pod on its host's network, which runs no CNI plugins", () => {
  expect(mutatePod(pod(MESHED, { isOnHostNetwork: true }), {}, SETTINGS)).toEqual({ patch: [], warnings: [] });
});

describe("the proxy's user", () => {
  const RANGED = { ...MESHED, [RANGE]: '1000680000/10000' };
  const user = (annotations: Texts, namespace: Texts) => annotated(pod(annotations), namespace)?.[PROXY_UID];

  test('is in the configured range', () => {
    const settings = { ...SETTINGS, linkerdProxyUidOffset: 7, namespaceUidRangeAnnotation: 'range' };
    const { patch } = mutatePod(pod(), { ...MESHED, range: '100/50', [RANGE]: '1/9' }, settings);
    expect(patch).toMatchObject([{ value: { [PROXY_UID]: '107' } }]);
  });

  test('is kept if the pod chooses it', () => {
    expect(user({ [PROXY_UID]: '5' }, RANGED)).toBe('5');
    expect(user({}, { ...RANGED, [PROXY_UID]: '5' })).toBeUndefined();
  });

  test('is not set without a range, nor for pods without an injected proxy', () => {
    expect(user({}, MESHED)).toBeUndefined();
    const component = pod({}, { namespace: 'linkerd', labels: { [COMPONENT]: 'identity' } });
    expect(annotated(component, { [RANGE]: '1000680000/10000' })).toEqual({ [NETWORKS]: 'linkerd-cni' });
    expect(user({ [INJECT]: 'disabled' }, RANGED)).toBeUndefined();
    expect(user({ [MULTUS]: 'disabled' }, RANGED)).toBeUndefined();
  });

  test('is not set if the range is unknown: the pod attaches, with a warning', () => {
    const mutation = mutatePod(pod(), { ...MESHED, [RANGE]: 'many' }, SETTINGS);
    expect(mutation).toEqual({
      patch: [{ op: 'add', path: '/metadata/annotations', value: { ...MESHED, [NETWORKS]: 'linkerd-cni' } }],
      warnings: [
        "no config.linkerd.io/proxy-uid set: the namespace's annotation openshift.io/sa.scc.uid-range is not <first user>/<number of users>",
      ],
    });
  });
});

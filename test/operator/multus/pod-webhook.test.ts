import { type AdmissionRequest, BadAdmissionRequest } from '#controller-runtime/webhook/admission';
import { podHandler } from '#operator/src/multus/pod-webhook';

const SETTINGS = {
  linkerdNamespace: 'linkerd',
  cniNamespace: 'linkerd-cni',
  linkerdProxyUidOffset: 2102,
  namespaceUidRangeAnnotation: 'openshift.io/sa.scc.uid-range',
};
const MESHED = { 'linkerd.io/multus': 'enabled', 'linkerd.io/inject': 'enabled' };
const ATTACHED = [
  { op: 'add', path: '/metadata/annotations', value: { ...MESHED, 'k8s.v1.cni.cncf.io/networks': 'linkerd-cni' } },
];

const request = (fields: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  uid: 'u',
  operation: 'CREATE',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  namespace: 'shop',
  userInfo: { username: 'jane' },
  object: { metadata: { generateName: 'web-' }, spec: {} },
  ...fields,
});

const withObject = (object: unknown) => request({ object });

test('the webhook uses the namespace of the request for a pod without name and namespace', () => {
  const asked: string[] = [];
  const handle = podHandler((namespace) => {
    asked.push(namespace);
    return MESHED;
  }, SETTINGS);
  expect(handle(request())).toEqual({ allowed: true, patch: ATTACHED, warnings: [] });
  expect(asked).toEqual(['shop']);
});

test('the webhook waits for a namespace that it has to read from the API server', async () => {
  const handle = podHandler(async () => MESHED, SETTINGS);
  expect(await handle(request())).toMatchObject({ patch: ATTACHED });
});

test('the webhook fails without the annotations of the namespace', async () => {
  const handle = podHandler(() => Promise.reject(new Error('no API server')), SETTINGS);
  await expect(handle(request())).rejects.toThrow('no API server');
});

test('the webhook reads labels and hostNetwork of a pod', () => {
  const handle = podHandler(() => ({}), SETTINGS);
  const component = { metadata: { labels: { 'linkerd.io/control-plane-component': 'identity' }, annotations: null } };
  const answer = (object: object) => handle(request({ namespace: 'linkerd', object }));
  expect(answer(component)).toMatchObject({ patch: [{ op: 'add' }] });
  expect(answer({ ...component, spec: { hostNetwork: true } })).toMatchObject({ patch: [] });
});

test.each<[string, Partial<AdmissionRequest>]>([
  ['an update', { operation: 'UPDATE' }],
  ['another kind', { kind: { group: 'apps', version: 'v1', kind: 'Deployment' } }],
  ['a subresource', { subResource: 'binding' }],
  ['a deletion', { operation: 'DELETE', object: null }],
])('the webhook does not mutate %s', (_case, fields) => {
  expect(podHandler(() => MESHED, SETTINGS)(request(fields))).toEqual({ allowed: true });
});

test.each<[string, AdmissionRequest]>([
  ['request.namespace of a Pod is missing', request({ namespace: undefined })],
  ...['..', '.', 'shop/../x', 'Shop', '\ud800', 'a'.repeat(64)].map((namespace): [string, AdmissionRequest] => [
    'request.namespace is not a valid name of a namespace',
    request({ namespace }),
  ]),
  ['request.object is not an object', withObject(null)],
  ['request.object is not an object', withObject([])],
  ['request.object.metadata is not an object', withObject({})],
  ['request.object.metadata.labels is not a map of strings', withObject({ metadata: { labels: { a: 1 } } })],
  ['request.object.metadata.annotations is not a map of strings', withObject({ metadata: { annotations: 'a' } })],
])('the webhook fails if %s', (message, malformed) => {
  const handle = podHandler(() => MESHED, SETTINGS);
  expect(() => handle(malformed)).toThrow(new BadAdmissionRequest(message));
});

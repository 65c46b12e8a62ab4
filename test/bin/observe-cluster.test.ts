import type { Answer } from '../../bin/kubectl';
import { openReader, type Reader, readLists, readResources } from '../../bin/observe-cluster';

const nameOf = (object: unknown) => (object as { readonly metadata: { readonly name: string } }).metadata.name;
const listOf = (...names: readonly string[]) => ({ items: names.map((name) => ({ metadata: { name } })) });

/** Opens an API server with two versions of the API group of policies, and answers by path; others are not found. */
async function serverWith(answers: Readonly<Record<string, unknown>>): Promise<Reader> {
  const versions = ['v1beta3', 'v1beta1'].map((version) => ({ version }));
  const groups = [{ name: 'policy.linkerd.io', versions, preferredVersion: versions[0] }];
  const get = async (path: string): Promise<Answer> => {
    const [place = ''] = path.split('?');
    const answer = { '/apis': { kind: 'APIGroupList', groups }, ...answers }[place];
    if (answer === undefined) return { ok: false, status: 'NotFound', reason: 'not found' };
    return { ok: true, text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  };
  const reader = await openReader(get, 1);
  if (typeof reader === 'string') throw new Error(reader);
  return reader;
}

test('a resource is read in the version that has it, although its group prefers another one', async () => {
  const reader = await serverWith({ '/apis/policy.linkerd.io/v1beta1/servers': listOf('web') });
  expect(await readLists('servers', nameOf, reader)).toEqual({ is: 'read', items: ['web'] });
});

test('a resource that no version of its group has is absent', async () => {
  expect(await readLists('servers', nameOf, await serverWith({}))).toEqual({ is: 'absent' });
});

test('a list without objects may be null, and an answer without a list is a failure', async () => {
  const readServers = async (answer: unknown) =>
    readLists('servers', nameOf, await serverWith({ '/apis/policy.linkerd.io/v1beta3/servers': answer }));
  expect(await readServers({ items: null, metadata: null })).toEqual({ is: 'read', items: [] });
  for (const answer of ['', '{"items":[{"metadata":', 'null', {}, { items: {} }]) {
    expect(await readServers(answer)).toEqual({ is: 'failed', reason: 'the answer is not a list' });
  }
});

test('the resources of a group are those of all its versions', async () => {
  const resources = (...names: readonly string[]) => ({ resources: names.map((name) => ({ name })) });
  const read = async (answers: Readonly<Record<string, unknown>>) =>
    readResources('policy.linkerd.io', await serverWith(answers));
  const [preferred, other] = ['/apis/policy.linkerd.io/v1beta3', '/apis/policy.linkerd.io/v1beta1'];
  const both = { is: 'read', items: ['httproutes.policy.linkerd.io', 'servers.policy.linkerd.io'] };
  expect(await read({ [preferred]: resources('httproutes'), [other]: resources('servers') })).toEqual(both);
  // Its CustomResourceDefinitions changed after the groups were listed.
  expect(await read({ [other]: resources('httproutes', 'servers') })).toEqual(both);
  expect(await read({ [preferred]: '{"resources":[{"na', [other]: resources('servers') })).toEqual({
    is: 'failed',
    reason: 'the answer is not a list',
  });
});

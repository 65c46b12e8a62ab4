import { type ListPage, listPages, PAGE_SIZE, type PageQuery } from '#controller-runtime/client/list-pages';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { apiError } from '#test/support/controller-runtime/api-error';

const things = (...names: string[]): KubeObject[] => names.map((name) => ({ metadata: { name } }));
const page = (names: string[], next?: string): ListPage => ({
  metadata: { resourceVersion: '7', continue: next },
  items: things(...names),
});
const expired = apiError(410, { reason: 'Expired' });

/** Reads these pages. Returns the requests and the kept items. */
async function read(...answers: (ListPage | Error)[]) {
  const asked: PageQuery[] = [];
  const fetchPage = async (query: PageQuery): Promise<ListPage> => {
    asked.push(query);
    const answer = answers.shift();
    if (answer === undefined) throw new Error('asked too often');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { items, resourceVersion } = await listPages(fetchPage, (object) => object);
  return { asked, names: items.map((item) => item.metadata.name), resourceVersion };
}

test('the client rereads a list in a single page if it expires between two pages', async () => {
  expect(await read(page(['a', 'gone'], 'x'), expired, page(['a', 'b']))).toEqual({
    asked: [{ limit: PAGE_SIZE }, { limit: PAGE_SIZE, continue: 'x' }, {}],
    names: ['a', 'b'],
    resourceVersion: '7',
  });
});

test('the client fails a list on any other failure of a page', async () => {
  const failure = apiError(500, { message: 'broken' });
  await expect(read(page(['a'], 'x'), failure)).rejects.toBe(failure);
});

test.each<ListPage>([
  { items: things('a') },
  { metadata: {} },
  JSON.parse('{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}'),
])('the client rejects a page without a version, even a later page: %j', async (answer) => {
  await expect(read(answer)).rejects.toThrow('not a list');
  await expect(read(page(['a'], 'x'), answer)).rejects.toThrow('not a list');
});

test.each([[{ metadata: { resourceVersion: '7' }, items: null }], [{ metadata: { resourceVersion: '7' } }]])(
  'a list without items (%j) is empty',
  async (answer) => {
    expect(await read(answer)).toMatchObject({ names: [] });
  },
);

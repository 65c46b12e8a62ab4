import { NAVIGATION } from '#tools/site/navigation';
import { readPages } from '../../docs/snippets/pages';

test('the navigation of the site lists every page of the documentation once', () => {
  const listed = NAVIGATION.flatMap((group) => group.pages);
  const written = readPages().map(({ path }) => path);
  expect(
    [...written, 'CHANGELOG.md'].filter((path) => !/^(?:docs\/adr|tools|test)\//.test(path) && !listed.includes(path)),
  ).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

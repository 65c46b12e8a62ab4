import { NAVIGATION } from '#tools/site/navigation';
import { NEARBY, readPages } from '../../docs/snippets/pages';

test('the navigation of the site lists every page of the documentation once', () => {
  const listed = NAVIGATION.flatMap((group) => group.pages);
  const written = readPages().map(({ path }) => path);
  const onSite = [...written, 'CHANGELOG.md'].filter((path) => !path.startsWith('docs/adr/') && !NEARBY.includes(path));
  expect(onSite.filter((path) => !listed.includes(path))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

import { type Finding, mergeEqual, otherPlaces } from '#base/findings/finding';

const WRONG = { code: 'wrong', what: 'It is "Bad"', why: 'It breaks', fix: 'mend it' };

function finding(path: string, problem: object = {}, severity: Finding['severity'] = 'error'): Finding {
  return { severity, path, problem: { severity, ...WRONG, ...problem } };
}

test('equal findings become one finding that lists its places in order', () => {
  expect(mergeEqual(['home/a', 'home/b', 'away/a'].map((path) => finding(path)))).toEqual([
    { ...finding('home/a'), alsoAt: ['home/b', 'away/a'] },
  ]);
});

test.each<[string, object]>([
  ['code', { code: 'bad' }],
  ['mistake, even if one value is a substring of the other,', { what: 'It is "Bad" or worse' }],
  ['reason', { why: 'It breaks late' }],
  ['remedy', { fix: 'remove it' }],
])('findings that differ in their %s remain separate', (_, other) => {
  const found = [finding('home/a'), finding('home/a', other)];
  expect(mergeEqual(found)).toEqual(found);
});

test('an error removes the equal warning', () => {
  expect(mergeEqual([finding('home/a'), finding('home/a', {}, 'warning')])).toHaveLength(2);
});

test('a finding lists objects and fields of one construct as places', () => {
  const found = ['Pod a: containers[0]', 'Pod a: containers[1]', 'Pod b: containers[0]'];
  const [merged, ...others] = mergeEqual([
    ...found.map((place) => finding('home/a', { place })),
    ...found.slice(1).map((place) => finding('home/b', { place })),
  ]);
  expect(others).toEqual([]);
  expect(merged).toEqual({
    ...finding('home/a', { place: found[0] }),
    alsoAt: ['Pod a: containers[1]', 'Pod b: containers[0]', 'home/b', 'home/b: Pod b: containers[0]'],
  });
});

test.each([
  [0, undefined],
  [1, 'p0'],
  [3, 'p0, p1, p2'],
  [4, 'p0, p1, p2 and 1 more'],
  [40, 'p0, p1, p2 and 37 more'],
])('a finding with other places (%d) names at most three', (count, text) => {
  expect(otherPlaces({ ...finding('home/a'), alsoAt: Array.from({ length: count }, (_, n) => `p${n}`) })).toBe(text);
});

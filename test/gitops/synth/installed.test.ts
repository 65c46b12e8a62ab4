import { parseIndex } from '#lib/gitops/synth/output/cluster-index';
import { installedFrom } from '#linkerd/releases/installed';

test('synth reads the valid parts of an edited index', () => {
  const edited = {
    charts: [],
    releases: ['', 'linkerd-viz', 'other 1', 'linkerd-viz edge-26.8.3'],
    definitions: ['a'],
  };
  expect(installedFrom(edited)).toEqual({
    releases: { viz: 'edge-26.8.3' },
    definitions: [{ name: 'a', versions: [] }],
  });
  expect(parseIndex('{"writer":"x","charts":[],"files":[],"releases":[1]}').damage).toBe(
    'it does not have the fields of an index',
  );
});

import { App } from 'cdk8s';
import { buildCluster, factsAbout } from '#lib/gitops/synth/build-cluster';
import { Cluster } from '#lib/gitops/tree/cluster';
import { factsOf, tellOthers } from '#lib/gitops/tree/cluster-facts';
import { component } from '../../support/cluster-fixture';

test('factsOf returns the facts of a cluster by topic, computed on demand', () => {
  const cluster = new Cluster(new App(), 'west');
  let place = 'here';
  tellOthers(cluster, 'place', () => place);
  tellOthers(cluster, 'place', () => 'there, too');
  place = 'there';
  expect(factsOf(cluster)).toEqual(new Map([['place', ['there', 'there, too']]]));
});

test('factsAbout builds a cluster at most once', () => {
  let builds = 0;
  const definition = {
    name: 'west',
    props: {},
    build: (cluster: Cluster) => {
      builds += 1;
      component(cluster, 'shop');
      tellOthers(cluster, 'builds', () => builds);
    },
  };
  expect(factsAbout(definition)?.get('builds')).toEqual([1]);
  expect(factsAbout(definition)?.get('builds')).toEqual([1]);
  buildCluster({ ...definition });
  expect(builds).toBe(2);
});

test('factsAbout returns undefined for a cluster that cannot be built', () => {
  const definition = (build: (cluster: Cluster) => unknown) => ({
    name: 'west',
    props: {},
    build: build as () => void,
  });
  expect(
    factsAbout(
      definition(() => {
        throw new Error('odd');
      }),
    ),
  ).toBeUndefined();
  expect(factsAbout(definition(async () => Promise.reject(new Error('late'))))).toBeUndefined();
});

test('factsAbout tries to build a broken cluster once for any number of links to it', () => {
  let builds = 0;
  const broken = {
    name: 'west',
    props: {},
    build: () => {
      builds += 1;
      throw new Error('odd');
    },
  };
  for (let link = 0; link < 10; link += 1) expect(factsAbout(broken)).toBeUndefined();
  expect(builds).toBe(1);
});

test('clusters that need facts of each other are not broken', () => {
  const west = {
    name: 'west',
    props: {},
    build: () => {
      if (factsAbout(east) === undefined) throw new Error('no facts');
    },
  };
  const east = { name: 'east', props: {}, build: () => void factsAbout(west) };
  factsAbout(east);
  expect(factsAbout(west)).toBeDefined();
});

test('clusters that read facts of each other cause no stack overflow', () => {
  const west = { name: 'west', props: {}, build: () => void factsAbout(east) };
  const answers: unknown[] = [];
  const east = { name: 'east', props: {}, build: () => void answers.push(factsAbout(west)) };
  expect(factsAbout(east)).toBeDefined();
  expect(answers).toHaveLength(1);
});

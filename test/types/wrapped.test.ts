import type {
  CniFacts,
  CniValues,
  ControlPlaneValues,
  CrdsValues,
  ILinkerdCni,
  JaegerToTempo,
  JaegerToTempoProps,
  LinkerdCni,
  LinkerdCniProps,
  LinkerdConfig,
  LinkerdConfigProps,
  LinkerdControlPlane,
  LinkerdControlPlaneProps,
  LinkerdCrds,
  LinkerdCrdsOptions,
  LinkerdCrdsProps,
  LinkerdMesh,
  LinkerdMeshProps,
  LinkerdVersion,
  Multicluster,
  MulticlusterProps,
  MulticlusterValues,
  ReconcilerOperator,
  ReconcilerOperatorProps,
  Release,
  Viz,
  VizProps,
  VizValues,
} from '#lib';

/** Ways to derive props from props of the library, for each type of props that depends on a release. */
interface Mesh extends LinkerdMeshProps {
  readonly team: string;
}
interface PinnedMesh extends LinkerdMeshProps<'edge-26.8.2'> {
  readonly team: string;
}
interface MeshForAll<V extends LinkerdVersion> extends LinkerdMeshProps<V> {
  readonly team: string;
}
interface ControlPlane extends LinkerdControlPlaneProps {
  readonly team: string;
}
interface Cni extends LinkerdCniProps {
  readonly team: string;
}
interface Crds extends LinkerdCrdsProps {
  readonly team: string;
}
interface Config extends LinkerdConfigProps {
  readonly team: string;
}
interface Operator extends ReconcilerOperatorProps {
  readonly team: string;
}
interface Dashboard extends VizProps {
  readonly team: string;
}
interface Tracing extends JaegerToTempoProps {
  readonly team: string;
}
interface Clusters extends MulticlusterProps {
  readonly team: string;
}
interface WithoutNetwork extends Omit<LinkerdMeshProps, 'cni' | 'multus'> {
  readonly team: string;
}
interface Choice extends Pick<LinkerdMeshProps, 'highAvailability' | 'monitoring' | 'multus'> {
  readonly team: string;
}

const accepted = {
  mesh: ({ team: _, ...props }: Mesh): LinkerdMeshProps => props,
  whole: (props: Mesh): LinkerdMeshProps => props,
  pinned: ({ team: _, ...props }: PinnedMesh): LinkerdMeshProps<'edge-26.8.2'> => props,
  forAll: <V extends LinkerdVersion>({ team: _, ...props }: MeshForAll<V>) => props,
  controlPlane: ({ team: _, ...props }: ControlPlane): LinkerdControlPlaneProps => props,
  cni: ({ team: _, ...props }: Cni): LinkerdCniProps => props,
  crds: ({ team: _, ...props }: Crds): LinkerdCrdsProps => props,
  crdsOptions: ({ team: _, version: __, ...props }: Crds): LinkerdCrdsOptions => props,
  config: ({ team: _, ...props }: Config): LinkerdConfigProps => props,
  operator: ({ team: _, ...props }: Operator): ReconcilerOperatorProps => props,
  viz: ({ team: _, ...props }: Dashboard): VizProps => props,
  tracing: ({ team: _, ...props }: Tracing): JaegerToTempoProps => props,
  multicluster: ({ team: _, ...props }: Clusters): MulticlusterProps => props,
  omitted: ({ team: _, ...props }: WithoutNetwork): LinkerdMeshProps => ({ ...props, cni: {} }),
  picked: ({ team: _, ...props }: Choice): LinkerdMeshProps => ({ delivery: 'helm', ...props }),
  spread: (isEdge: boolean, props: LinkerdMeshProps): LinkerdMeshProps => ({
    ...props,
    ...(isEdge ? { multus: { namespaces: ['shop'] } } : {}),
    ...(isEdge && { cni: {} }),
    viz: isEdge ? false : { ...props.viz },
    operator: isEdge ? undefined : {},
  }),
  partial: (props: Partial<LinkerdMeshProps>, required: Required<Pick<LinkerdMeshProps, 'cni'>>): LinkerdMeshProps => ({
    ...props,
    ...required,
  }),
};

test('the compiler accepts props of the library within props of a user', () => {
  expect(accepted.picked({ team: 'shop', highAvailability: false })).toEqual({
    delivery: 'helm',
    highAvailability: false,
  });
});

/** Each type that depends on a release: for a pinned release, and for any release. */
interface Plain {
  readonly mesh: [LinkerdMesh<'edge-26.8.2'>, LinkerdMesh];
  readonly stable: [LinkerdMesh<'stable-2.14.10'>, LinkerdMesh];
  readonly line: [LinkerdMesh<'2.19' | 'edge-26.8.3'>, LinkerdMesh];
  readonly controlPlane: [LinkerdControlPlane<'edge-26.8.2'>, LinkerdControlPlane];
  readonly viz: [Viz<'stable-2.14.10'>, Viz];
  readonly cni: [LinkerdCni<'edge-26.8.2'>, LinkerdCni];
  readonly anyCni: [LinkerdCni<'edge-26.8.2'>, ILinkerdCni];
  readonly facts: [CniFacts<'edge-26.8.2'>, CniFacts];
  readonly crds: [LinkerdCrds<'edge-26.8.2'>, LinkerdCrds];
  readonly operator: [ReconcilerOperator<'edge-26.8.2'>, ReconcilerOperator];
  readonly config: [LinkerdConfig<'edge-26.8.2'>, LinkerdConfig];
  readonly tracing: [JaegerToTempo<'stable-2.14.10'>, JaegerToTempo];
  readonly multicluster: [Multicluster<'edge-26.8.2'>, Multicluster];
  readonly release: [Release<'edge-26.8.2'>, Release];
  readonly props: [LinkerdMeshProps<'edge-26.8.2'>, LinkerdMeshProps];
  readonly vizProps: [VizProps<'edge-26.8.2'>, VizProps];
  readonly values: [ControlPlaneValues<'edge-26.8.3'>, ControlPlaneValues];
  readonly others: [
    [CniValues<'edge-26.8.3'>, CrdsValues<'edge-26.8.3'>, VizValues<'edge-26.8.3'>, MulticlusterValues<'edge-26.8.3'>],
    [CniValues, CrdsValues, VizValues, MulticlusterValues],
  ];
}

type Unfit<Pairs> = {
  [Key in keyof Pairs]: Pairs[Key] extends readonly [infer Pinned, infer Any]
    ? [Pinned] extends [Any]
      ? never
      : Key
    : Key;
}[keyof Pairs];

/** Keys of pairs in which the type for any release is assignable to the type for a pinned release. */
type Fit<Pairs> = {
  [Key in keyof Pairs]: Pairs[Key] extends readonly [infer Pinned, infer Any]
    ? [Any] extends [Pinned]
      ? Key
      : never
    : Key;
}[keyof Pairs];

// `tsc` (`npm run lint`) fails if a type for a pinned release is not assignable to the type for any release.
test('the compiler accepts a pinned release where any release is accepted, but not the reverse', () => {
  const unfit: readonly Unfit<Plain>[] = [];
  const fit: readonly Fit<Pick<Plain, 'mesh' | 'controlPlane' | 'viz' | 'cni' | 'operator' | 'multicluster'>>[] = [];
  const [noneUnfit, noneFit]: readonly (readonly never[])[] = [unfit, fit];
  expect([noneUnfit, noneFit]).toEqual([[], []]);
});

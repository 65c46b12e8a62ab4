import type {
  Acknowledgements,
  DeletionPolicy,
  Difference,
  EnvVar,
  Finding,
  InjectMode,
  LaggardPolicy,
  LinkerdConfigProps,
  Meshing,
  OperatorRotation,
  PlatformProps,
  PlusResource,
  Problem,
  ProxyConfig,
  SynthError,
  SynthReport,
} from '#lib';

/** Members of public types, with the exported types that users need to name them. */
interface Parts {
  readonly acknowledgements: [PlatformProps['acknowledge'], Acknowledgements | undefined];
  readonly deletionPolicy: [LinkerdConfigProps['deletionPolicy'], DeletionPolicy | undefined];
  readonly differences: [SynthReport['differences'], readonly Difference[]];
  readonly env: [ProxyConfig['env'], readonly EnvVar[] | undefined];
  readonly mode: [Parameters<Meshing['namespace']>[2], InjectMode | undefined];
  readonly findings: [SynthError['findings'], readonly Finding[]];
  readonly problem: [Finding['problem'], Problem];
  readonly laggards: [NonNullable<OperatorRotation['laggards']>['policy'], LaggardPolicy | undefined];
  readonly warnings: [SynthReport['warnings'], readonly Finding[]];
  readonly service: [Exclude<Parameters<Meshing['opaquePorts']>[0], { readonly apiVersion: string }>, PlusResource];
}

type Differing = {
  [Key in keyof Parts]: Parts[Key] extends [infer A, infer B] ? (A extends B ? never : Key) : never;
}[keyof Parts];

// `tsc`, a part of `npm run lint`, fails if a type is not exported, or differs.
test('the library exports named types for members of its props and results', () => {
  const differing: readonly Differing[] = [];
  expect(differing).toEqual([]);
});

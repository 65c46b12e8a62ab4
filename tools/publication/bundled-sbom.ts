/** The part of a CycloneDX document of `npm sbom` that this module reads. */
export interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly 'bom-ref': string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** A package whose code a bundle contains. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
}

/** The bundled program. */
export interface Program extends Bundled {
  readonly description: string;
}

/**
 * The bill of materials of a bundle: npm's, reduced to the packages whose code the bundle contains. npm lists every
 * installed package, so scanners would report vulnerabilities in code that the bundle lacks.
 *
 * @throws Error if npm does not list one of the packages
 */
export function bundledBom(bom: Bom, program: Program, packages: readonly Bundled[]): Bom {
  const components = packages.map((bundled) => {
    const component = bom.components.find(({ purl }) => purl === purlOf(bundled));
    if (component === undefined) throw new Error(`npm's bill of materials lacks ${bundled.name} ${bundled.version}`);
    return component;
  });
  const root = { ...bom.metadata.component, ...program, 'bom-ref': `${program.name}@${program.version}` };
  const refs = components.map((component) => component['bom-ref']);
  return {
    ...bom,
    metadata: { ...bom.metadata, component: { ...root, purl: purlOf(program) } },
    components,
    dependencies: [
      { ref: root['bom-ref'], dependsOn: refs },
      ...bom.dependencies
        .filter(({ ref }) => refs.includes(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.includes(other)) })),
    ],
  };
}

function purlOf({ name, version }: Bundled): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

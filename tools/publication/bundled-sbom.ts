/** The part of a CycloneDX document, as `npm sbom` writes it, that is read here. */
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

/** A package of which a bundle has code. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
}

/** The program that they are bundled into. */
export interface Program extends Bundled {
  readonly description: string;
}

/**
 * The bill of materials of a bundle: npm's, with those packages only of which there is code in the bundle. npm lists all
 * that is installed for it, and scanners would find vulnerabilities in what is not there.
 *
 * @throws Error if npm does not know one of the packages
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

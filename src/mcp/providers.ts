// The features that have resources of their own, beside collections and objects.

import type { ResourceProvider } from "./resource.ts";
import { viewResources } from "./view-resources.ts";

export const resourceProviders: readonly ResourceProvider[] = [viewResources];

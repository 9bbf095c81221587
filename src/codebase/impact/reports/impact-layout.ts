import { type ColumnLayout, layOutColumns } from "../../page/column-layout.ts";
import type { ImpactDrawing, ImpactLink, ImpactNode } from "./impact-links.ts";

/** Lays a drawing out in columns by hops. */
export function layOutImpact(drawing: ImpactDrawing): ColumnLayout<ImpactNode, ImpactLink> {
  return layOutColumns(drawing, { idOf: ({ block }) => block.id, columnOf: ({ hops }) => hops });
}

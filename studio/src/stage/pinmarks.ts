// Marks in the picture where ends of the target are pinned.

import { Color, Mesh, MeshBasicMaterial, OctahedronGeometry, type Scene } from "three";
import type { Puppet } from "./puppet";

export interface PinMark {
  /** A place in the target's space in metres, or a joint. */
  at: readonly [number, number, number] | string;
  from: number | null;
  until: number | null;
}

/** Of the body's height. */
const RADIUS = 0.022;
/** How much is seen of a pin that does not count now. */
const FAINT = 0.25;

export class PinMarks {
  private own: { mark: PinMark; mesh: Mesh<OctahedronGeometry, MeshBasicMaterial> }[] = [];
  private readonly geometry = new OctahedronGeometry(1);

  constructor(private readonly scene: Scene) {}

  get count(): number {
    return this.own.length;
  }

  set(all: readonly PinMark[]): void {
    this.own.forEach(({ mesh }) => {
      mesh.removeFromParent();
      mesh.material.dispose();
    });
    const colour = new Color(getComputedStyle(document.documentElement).getPropertyValue("--warn").trim() || "#888888");
    this.own = all.map((mark) => {
      const mesh = new Mesh(
        this.geometry,
        new MeshBasicMaterial({ color: colour, transparent: true, depthTest: false, depthWrite: false }),
      );
      // Seen through the body.
      mesh.renderOrder = 31;
      this.scene.add(mesh);
      return { mark, mesh };
    });
  }

  /** Before each picture. */
  update(seconds: number, puppet: Puppet | undefined): void {
    for (const { mark, mesh } of this.own) {
      mesh.visible = puppet !== undefined;
      if (!puppet) continue;
      if (typeof mark.at === "string") {
        const node = puppet.description.nodes.findIndex((own) => own.name === mark.at);
        mesh.visible = node >= 0;
        if (node >= 0) puppet.placeOf(node, mesh.position);
      } else puppet.group.localToWorld(mesh.position.fromArray(mark.at));
      mesh.scale.setScalar(RADIUS * puppet.height);
      const isOn = (mark.from === null || seconds >= mark.from) && (mark.until === null || seconds <= mark.until);
      mesh.material.opacity = isOn ? 0.95 : FAINT;
    }
  }
}

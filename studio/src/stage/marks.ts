// Coloured marks on the floor where feet of the characters stand.

import { CircleGeometry, Mesh, MeshBasicMaterial, type Scene, Vector3 } from "three";
import type { Side } from "rebone";
import type { Puppet } from "./puppet";

/** A foot's contacts, seconds. */
export interface FootContacts {
  side: Side;
  /** Left or right, which decides the colour. */
  isLeft: boolean;
  slot: string;
  spans: [number, number][];
}

/** Of the body's height. */
const RADIUS = 0.055;
const at = new Vector3();

/** Kept for good: what the graphics card has made of it is not made again with every result. */
const material = (): MeshBasicMaterial => new MeshBasicMaterial({ transparent: true, opacity: 0.6, depthTest: false, depthWrite: false });

export class Marks {
  private readonly left = material();
  private readonly right = material();
  private own: { contacts: FootContacts; mesh: Mesh }[] = [];
  private readonly geometry = new CircleGeometry(1, 24).rotateX(-Math.PI / 2);

  constructor(private readonly scene: Scene) {}

  set(all: FootContacts[]): void {
    this.own.forEach(({ mesh }) => mesh.removeFromParent());
    const style = getComputedStyle(document.documentElement);
    this.own = all.map((contacts) => {
      const material = contacts.isLeft ? this.left : this.right;
      material.color.set(style.getPropertyValue(contacts.isLeft ? "--left" : "--right").trim() || "#888888");
      const mesh = new Mesh(this.geometry, material);
      // Seen through the foot that hides it.
      mesh.renderOrder = 30;
      mesh.visible = false;
      this.scene.add(mesh);
      return { contacts, mesh };
    });
  }

  update(seconds: number, puppet: (side: Side) => Puppet | undefined): void {
    for (const { contacts, mesh } of this.own) {
      const own = puppet(contacts.side);
      const joint = own?.description.map.slots[contacts.slot]?.joints[0];
      const node = own?.description.nodes.findIndex((known) => known.name === joint) ?? -1;
      mesh.visible = node >= 0 && contacts.spans.some(([start, end]) => seconds >= start && seconds <= end);
      if (!own || !mesh.visible) continue;
      own.placeOf(node, at);
      mesh.position.set(at.x, 0.004 * own.height, at.z);
      mesh.scale.setScalar(RADIUS * own.height);
    }
  }
}

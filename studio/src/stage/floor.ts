// The floor: a grid of metres that fades with the distance.

import { type Color, GridHelper, Group } from "three";

const METRES = 40;

export class Floor {
  readonly group = new Group();
  private grid: GridHelper | null = null;

  paint(line: Color, middle: Color): void {
    if (this.grid) {
      this.grid.removeFromParent();
      this.grid.dispose();
    }
    this.grid = new GridHelper(METRES, METRES, middle, line);
    this.group.add(this.grid);
  }

  /** Keeps the grid below what is looked at, line on line. */
  follow(x: number, z: number): void {
    this.group.position.set(Math.round(x), 0, Math.round(z));
  }
}

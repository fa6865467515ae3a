"""Sizes of the meshes"""
from phiflex.experiments import item, said

ITEM = item(
    number="Table 1", grade="A",
    says="Table 1: vertices and tetrahedra of the nine meshes.",
    asks="Are the public meshes those of the paper's table?",
    differs=["Bridge (30,133 vertices, 99,455 tetrahedra) and human body (40,540 and 189,021) are not public."],
    full=dict())

SIZES = {"Ball": ("ball_tet_5k.mesh", 1018, 4637), "Cuboid": ("cuboid_tet_5k.node", 1245, 4624),
         "Honeycomb": ("honeycomb_tet.mesh", 3642, 9850),
         "Moebius ball": ("moebius_tet.mesh", 5829, 16857), "Rope": ("rope_coil_tet_47k.node", 12791, 47279),
         "Eiffel tower": ("eiffel_tet_69k.mesh", 16027, 69271), "Tree": ("tree_tet_79k.node", 24533, 79217)}


def run(x):
    for name, (file, vertices, tetrahedra) in SIZES.items():
        def size():
            found = x.mesh_size(file)
            return said(tuple(found) == (vertices, tetrahedra), f"{file} has {found[0]} vertices and {found[1]} tetrahedra")

        x.claim("number", f"{name} has {vertices:,} vertices and {tetrahedra:,} tetrahedra", size, cause="stand-in",
                why="the public mesh is another one")
        x.row(f"{name}, vertices", lambda: x.mesh_size(file)[0], printed=vertices)
        x.row(f"{name}, tetrahedra", lambda: x.mesh_size(file)[1], printed=tetrahedra)
    for name in ("Bridge", "Human body"):
        x.claim("number", f"{name}: vertices and tetrahedra", None, open="the mesh is not public")

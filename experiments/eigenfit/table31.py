"""Sizes of the meshes"""
from phiflex.experiments import item, said

MESHES = {"Arm": ("arm_tet_19k.node", 15372, 19378), "Arm, coarse": ("arm_tet_9k.node", 7800, 8948),
          "Armadillo": ("armadillo_tet_54k.mesh", 40539, 54233), "Armadillo, coarse": ("armadillo_tet_5k.mesh", 4425, 4902),
          "Bar": ("bar_tet_73k.mesh", 42069, 72989), "Bar, coarse": ("bar_tet_5k.mesh", 3846, 5020),
          "Fert": (None, 36324, 47813), "Fert, coarse": (None, 5385, 6020), "Rampant": (None, 59382, 78686),
          "Rampant, coarse": (None, 2820, 3070),
          "Skater": ("skater_tet_42k.node", 32169, 42161), "Skater, coarse": ("skater_tet_10k.mesh", 8394, 9584)}
ITEM = item(
    number="Table 3.1", grade="A",
    says="Table 3.1: degrees of freedom (three per vertex) and tetrahedra of twelve meshes.",
    asks="Do our meshes have the printed numbers of degrees of freedom and tetrahedra?",
    differs=["Eight of the twelve meshes are here; fert and rampant are missing."])


def run(x):
    for name, (file, dof, tetrahedra) in MESHES.items():
        def check():
            vertices, elements = x.mesh_size(file)
            return said((3 * vertices, elements) == (dof, tetrahedra),
                        f"{3 * vertices} degrees of freedom and {elements} tetrahedra, as printed",
                        f"{3 * vertices} degrees of freedom and {elements} tetrahedra")
        x.claim("number", f"{name}: {dof} degrees of freedom and {tetrahedra} tetrahedra", check, open=None
                if file else "the mesh is missing")
        if file:
            x.row(f"{name}: degrees of freedom", lambda: 3 * x.mesh_size(file)[0], printed=dof)
            x.row(f"{name}: tetrahedra", lambda: x.mesh_size(file)[1], printed=tetrahedra)

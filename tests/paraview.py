"""Usage: paraview.py plane|space|membrane. Reads the files of paraview.sh, in this folder, with VTK's reader, and compares them with the tables."""

import csv
import math
import sys
import xml.etree.ElementTree

from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkMassProperties
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader

WIDTH, HEIGHT = 66, 22
DUCT, CUBE = (6, 5, 7), (8, 8, 8)
UNITS = {
    "density": "rho0",
    "velocity": "cells/step",
    "pressure": "rho0 cells^2/step^2",
    "vorticity": "1/step",
    "type": None,
}
UNITS_IN_SPACE = {name: unit for name, unit in UNITS.items() if name != "type"} | {"q_criterion": "1/step^2", "type": None}
failed = False


def expect(truth, what):
    global failed
    if not truth:
        print("expected", what)
        failed = True


def read(path, cells=(WIDTH, HEIGHT, 1)):
    """The arrays of the cells, and the times that a reader tells before it reads them."""
    reader = vtkXMLImageDataReader()
    expect(reader.CanReadFile(path) == 1, f"{path} to be an image")
    reader.SetFileName(path)
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    reader.Update()
    image = reader.GetOutput()
    expect(image.GetDimensions() == tuple(n + 1 for n in cells), f"{path} to have {cells} cells")
    expect(image.GetOrigin() == (-0.5, -0.5, -0.5), f"the centre of the first cell of {path} at 0, 0")
    data = image.GetCellData()
    return {data.GetArrayName(n): data.GetArray(n) for n in range(data.GetNumberOfArrays())}, times


def check_units(path, arrays, units=UNITS):
    for name, unit in units.items():
        array = arrays[name]
        found = array.GetInformation().Get(vtkDataArray.UNITS_LABEL()) if array.HasInformation() else None
        expect(found == unit, f"{name} of {path} in {unit}, not in {found}")


def is_amid_fluid(arrays, n, strides):
    """Whether no wall, which is half a cell away, and no opening is beside a cell: differences are central there."""
    return all(arrays["type"].GetValue(n + d) == 0 for stride in strides for d in (-stride, 0, stride))


def check_cells(path, arrays, table):
    """Compares the cells with those of the table, which are exact: nine digits."""
    with open(table) as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    expect(len(rows) == WIDTH * HEIGHT, f"{table} to have all cells")
    for n, row in enumerate(rows):
        rho, ux, uy = (float(row[name]) for name in ("rho", "ux", "uy"))
        x, y = n % WIDTH, n // WIDTH
        expect(abs(arrays["density"].GetValue(n) - rho) < 6e-8, f"density of {path} at {x}, {y}")
        expect(abs(arrays["pressure"].GetValue(n) - (rho - 1) / 3) < 1e-8, f"pressure of {path} at {x}, {y}")
        near = all(abs(a - b) < 1e-8 for a, b in zip(arrays["velocity"].GetTuple3(n), (ux, uy, 0.0)))
        expect(near, f"velocity of {path} at {x}, {y}")
        if 0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1 and is_amid_fluid(arrays, n, (1, WIDTH)):
            curl = (float(rows[n + 1]["uy"]) - float(rows[n - 1]["uy"])) / 2
            curl -= (float(rows[n + WIDTH]["ux"]) - float(rows[n - WIDTH]["ux"])) / 2
            expect(abs(arrays["vorticity"].GetValue(n) - curl) < 1e-8, f"vorticity of {path} at {x}, {y}")
        wall = y in (0, HEIGHT - 1)
        expect((arrays["type"].GetValue(n) == 4) == wall, f"type of {path} at {x}, {y}")


def check_space(path, arrays, table, cells):
    """The same for a volume, whose vorticity has three components and which has the Q criterion."""
    with open(table) as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    expect(len(rows) == cells[0] * cells[1] * cells[2], f"{table} to have all cells")
    velocity = [[float(row[name]) for name in ("ux", "uy", "uz")] for row in rows]
    strides = (1, cells[0], cells[0] * cells[1])
    for n, row in enumerate(rows):
        at = [int(row[name]) for name in "xyz"]
        expect(sum(a * stride for a, stride in zip(at, strides)) == n, f"row {n} of {table} at its place")
        rho = float(row["rho"])
        expect(abs(arrays["density"].GetValue(n) - rho) < 6e-8, f"density of {path} at {at}")
        expect(abs(arrays["pressure"].GetValue(n) - (rho - 1) / 3) < 1e-8, f"pressure of {path} at {at}")
        near = all(abs(a - b) < 1e-8 for a, b in zip(arrays["velocity"].GetTuple3(n), velocity[n]))
        expect(near, f"velocity of {path} at {at}")
        wall = cells == DUCT and (at[1] in (0, 4) or at[2] in (0, 6))
        expect(arrays["type"].GetValue(n) == (4 if wall else 0), f"type of {path} at {at}")
        inside = all(0 < a < side - 1 for a, side in zip(at, cells))
        if inside and is_amid_fluid(arrays, n, strides):
            g = [[(velocity[n + d][i] - velocity[n - d][i]) / 2 for d in strides] for i in range(3)]
            curl = (g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1])
            near = all(abs(a - b) < 1e-8 for a, b in zip(arrays["vorticity"].GetTuple3(n), curl))
            expect(near, f"vorticity of {path} at {at}")
            q = -sum(g[i][j] * g[j][i] for i in range(3) for j in range(3)) / 2
            expect(abs(arrays["q_criterion"].GetValue(n) - q) < 1e-8, f"Q criterion of {path} at {at}")


def check_populations(arrays, cells=WIDTH * HEIGHT):
    for n in range(cells):
        if arrays["type"].GetValue(n) == 0:
            total = sum(arrays["populations"].GetTuple(n))
            expect(abs(1 + total - arrays["density"].GetValue(n)) < 1e-6, f"populations of cell {n} to add up")


def check_plane_files():
    entries = xml.etree.ElementTree.parse("a & b.pvd").getroot().findall("Collection/DataSet")
    found = [(entry.get("timestep"), entry.get("file")) for entry in entries]
    expect(found == [(str(step), f"a & b_{step:08d}.vti") for step in (20, 40, 50)], f"three files, not {found}")
    for step, path in found:
        arrays, times = read(path)
        expect(times == (float(step),), f"{path} at the time {step}, not {times}")
        expect(list(arrays) == list(UNITS), f"{path} to have {list(UNITS)}, not {list(arrays)}")
        check_units(path, arrays)
        check_cells(path, arrays, path.replace(".vti", ".csv"))
    arrays, times = read("state.vti")
    expect(times == (50.0,), f"the checkpoint at the time 50, not {times}")
    check_units("state.vti", arrays)
    check_cells("state.vti", arrays, "a & b_00000050.csv")
    check_populations(arrays)


def check_volumes():
    for path, table, cells in ("abc.vti", "abc.csv", CUBE), ("duct.vti", "duct.csv", DUCT), ("state.vti", "duct.csv", DUCT):
        arrays, times = read(path, cells)
        expect(times == (30.0,), f"{path} at the time 30, not {times}")
        check_units(path, arrays, UNITS_IN_SPACE)
        check_space(path, arrays, table, cells)
    expect(arrays["populations"].GetNumberOfComponents() == 19, "19 populations in a cell")
    check_populations(arrays, DUCT[0] * DUCT[1] * DUCT[2])


def check_membrane():
    """A closed surface in the middle of the box, nearly of the volume of its sphere, whose forces cancel."""
    reader = vtkXMLPolyDataReader()
    expect(reader.CanReadFile("capsule.vtp") == 1, "capsule.vtp to be a surface")
    reader.SetFileName("capsule.vtp")
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    expect(times == (60.0,), f"capsule.vtp at the time 60, not {times}")
    reader.Update()
    surface, edges, mass = reader.GetOutput(), vtkFeatureEdges(), vtkMassProperties()
    expect((surface.GetNumberOfPoints(), surface.GetNumberOfPolys()) == (162, 320), "162 nodes and 320 triangles")
    near = all(abs(a - b) < 1e-3 for a, b in zip(surface.GetCenter(), (15.5, 23.5, 7.5)))
    expect(near, f"the capsule in the middle, not at {surface.GetCenter()}")
    edges.SetInputData(surface)
    edges.FeatureEdgesOff()
    edges.NonManifoldEdgesOn()
    edges.Update()
    expect(edges.GetOutput().GetNumberOfCells() == 0, "a closed surface")
    mass.SetInputData(surface)
    mass.Update()
    sphere = 4 / 3 * math.pi * 3.375**3
    expect(0.96 < mass.GetVolume() / sphere < 1, f"nearly the volume {sphere}, not {mass.GetVolume()}")
    force = surface.GetPointData().GetArray("force")
    expect(force.GetNumberOfComponents() == 3, "three components of the force")
    expect(force.GetInformation().Get(vtkDataArray.UNITS_LABEL()) == "rho0 cells^4/step^2", "the force in its unit")
    total = [sum(force.GetTuple3(n)[axis] for n in range(162)) for axis in range(3)]
    expect(all(abs(sum_) < 1e-4 * force.GetRange(-1)[1] for sum_ in total), f"no force in all, not {total}")


{"plane": check_plane_files, "space": check_volumes, "membrane": check_membrane}[sys.argv[1]]()
sys.exit(failed)

"""Usage: vortices.py FLOW.vti PICTURE.png [Q]. Draws the vortices of a flow in space, from a file of `lbm run --vtk`: the
surface on which the Q criterion is Q, in 1 / step^2, coloured by the speed there, and the bodies in grey. Without Q it is
a tenth of the largest. Runs with ParaView's pvpython, or with python3 and VTK.
"""

import math
import sys

try:
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401: what renders
    from vtkmodules.vtkCommonCore import vtkObject
    from vtkmodules.vtkCommonDataModel import vtkDataObject
    from vtkmodules.vtkFiltersCore import vtkCellDataToPointData, vtkContourFilter, vtkThreshold, vtkVectorNorm
    from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
    from vtkmodules.vtkFiltersModeling import vtkOutlineFilter
    from vtkmodules.vtkIOImage import vtkPNGWriter
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader
    from vtkmodules.vtkRenderingCore import (
        vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter)
except ImportError as error:
    print(f"skipped: {error}; run this with ParaView's pvpython, or install VTK (pip install vtk)")
    sys.exit(77)

BODY, LARGEST_FLUID = 6, 3  # types of cells (lattice/cell.h): those up to 3 are fluid or openings
WIDTH = 560  # pixels
VIEW = (-0.35, 0.45, 1.0)  # from the middle of the grid to the camera; the stream goes along x, to the right


def cells_of_type(reader, lowest, highest):
    """A filter that leaves the cells with types in this range."""
    part = vtkThreshold()
    part.SetInputConnection(reader.GetOutputPort())
    part.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, "type")
    part.SetLowerThreshold(lowest)
    part.SetUpperThreshold(highest)
    return part


def behind(source, kind):
    """A filter, or a mapper, of some kind that takes the output of another one."""
    next_one = kind()
    next_one.SetInputConnection(source.GetOutputPort())
    return next_one


def vortices(reader, level):
    """The surface where the Q criterion has a value, with the speed as its scalars."""
    fluid = cells_of_type(reader, 0, LARGEST_FLUID)
    points = behind(fluid, vtkCellDataToPointData)
    points.Update()
    data = points.GetOutput().GetPointData()
    largest = data.GetArray("q_criterion").GetRange()[1]
    data.SetActiveVectors("velocity")
    surface = behind(points, vtkContourFilter)
    surface.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_POINTS, "q_criterion")
    surface.SetValue(0, largest / 10 if level is None else level)
    surface.Update()
    if surface.GetOutput().GetNumberOfCells() == 0:
        sys.exit(f"vortices.py: the Q criterion is {surface.GetValue(0):g} nowhere: it goes up to {largest:g}")
    speed = behind(surface, vtkVectorNorm)
    speed.Update()
    return speed


def actor_of(source, colour=None):
    """What draws a surface: in one colour, or from blue to red by its scalars."""
    mapper = behind(source, vtkPolyDataMapper)
    actor = vtkActor()
    actor.SetMapper(mapper)
    if colour:
        mapper.ScalarVisibilityOff()
        actor.GetProperty().SetColor(*colour)
    else:
        mapper.SetScalarRange(*source.GetOutput().GetScalarRange())
        mapper.CreateDefaultLookupTable()
        mapper.GetLookupTable().SetHueRange(0.62, 0.0)
    return actor


def draw(actors, cells, path):
    """Renders into a file; the picture is as high as a grid of so many cells asks for."""
    renderer = vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    for actor in actors:
        renderer.AddActor(actor)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(WIDTH, round(WIDTH * min(1.0, 1.3 * max(cells[1:]) / max(cells))))
    window.AddRenderer(renderer)
    camera = renderer.GetActiveCamera()
    camera.SetPosition(*VIEW)
    camera.SetFocalPoint(0, 0, 0)
    camera.SetViewUp(0, 1, 0)
    window.Render()
    renderer.ResetCameraScreenSpace(0.95)
    image = vtkWindowToImageFilter()
    image.SetInput(window)
    writer = behind(image, vtkPNGWriter)
    writer.SetCompressionLevel(9)
    writer.SetFileName(path)
    writer.Write()


def main():
    vtkObject.GlobalWarningDisplayOff()  # such as that there is no screen
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__.split(". ")[0])
    path, picture = sys.argv[1:3]
    try:
        level = float(sys.argv[3]) if len(sys.argv) == 4 else None
    except ValueError:
        level = math.nan
    if level is not None and not math.isfinite(level):
        sys.exit(f"vortices.py: Q is {sys.argv[3]!r}, and takes a number")
    reader = vtkXMLImageDataReader()
    if not reader.CanReadFile(path):
        sys.exit(f"vortices.py: can't read {path!r}: it takes a file of lbm run --vtk")
    reader.SetFileName(path)
    reader.Update()
    if not reader.GetOutput().GetCellData().HasArray("q_criterion"):
        sys.exit(f"vortices.py: {path!r} has no q_criterion: it takes a flow in three dimensions")
    bodies = behind(cells_of_type(reader, BODY, BODY), vtkGeometryFilter)
    frame = behind(reader, vtkOutlineFilter)
    actors = [actor_of(vortices(reader, level)), actor_of(bodies, (0.55, 0.55, 0.55)), actor_of(frame, (0.6, 0.6, 0.6))]
    draw(actors, [points - 1 for points in reader.GetOutput().GetDimensions()], picture)


main()

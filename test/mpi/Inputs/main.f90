program main
    use mpi
    implicit none
    interface
        subroutine work(rank) bind(C, name="work")
            use iso_c_binding
            integer(c_int), value :: rank
        end subroutine
    end interface
    integer :: error, rank
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call work(rank)
    call MPI_Finalize(error)
end program

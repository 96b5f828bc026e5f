program main
    use mpi_f08
    implicit none
    interface
        subroutine work(rank) bind(C, name="work")
            use iso_c_binding
            integer(c_int), value :: rank
        end subroutine
    end interface
    integer :: rank
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call work(rank)
    call MPI_Finalize()
end program
